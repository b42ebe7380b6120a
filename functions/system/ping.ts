import { endpoint } from '#lib/handler/endpoint';
import { ping } from '#lib/system/contracts';
import { pong } from '#lib/system/ping';

/** Answers the received request without its credential. */
export const handler = endpoint(ping, ({ caller, event, body }) => pong(caller, event, body));
