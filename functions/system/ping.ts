import { endpoint } from '#lib/handler/endpoint';
import { ping } from '#lib/system/contracts';
import { pong } from '#lib/system/ping';

/**
 * Repeats what reached the service of a request, but for its credential.
 *
 * Nothing is read beyond authentication.
 */
export const handler = endpoint(ping, ({ caller, event, body }) => pong(caller, event, body));
