import type { Caller } from '../account/caller.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import { microsecondTimestamp } from '../precise-time.ts';

/**
 * Echoes a request as the service received it, without the credential of its query.
 *
 * @param body JSON, or a form as JSON; undefined without a body
 */
export function pong(caller: Caller, { requestContext, queryStringParameters }: GatewayEvent, body: unknown) {
  const { ptoken: _credential, ...query } = (queryStringParameters ?? {}) as Record<string, string>;
  return {
    ping: 'pong' as const,
    method: requestContext.http.method,
    query,
    body: body ?? null,
    username: caller.username,
    executed_at: microsecondTimestamp(),
  };
}
