import { endpoint } from '#lib/handler/endpoint';
import { pong } from '#lib/system/ping';
import { contract } from '#lib/system/ping.contract';

/** Answers the received request without its credential. */
export const handler = endpoint(contract, ({ caller, event, body }) => pong(caller, event, body));
