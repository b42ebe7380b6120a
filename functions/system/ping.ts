import { endpoint } from '#lib/http/endpoint';
import { ping } from '#lib/system/contracts';
import { pong } from '#lib/system/ping';

/** Answers what it was sent. */
export const handler = endpoint(ping, ({ caller, event, body }) => pong(caller, event, body));
