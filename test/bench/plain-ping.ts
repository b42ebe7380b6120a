import { authenticator } from '#lib/auth/authenticate';
import { credentialOf } from '#lib/auth/credential';
import type { GatewayEvent } from '#lib/contract/gateway-event';
import { log } from '#lib/log/log';
import { runtimeFromEnvironment } from '#lib/runtime';
import { pong } from '#lib/system/ping';

const runtime = runtimeFromEnvironment();
const authenticate = authenticator(runtime, true);

/** A ping without Middy, schemas and middlewares: it authenticates as every function does, answers, and logs a line. */
export const handler = async (event: GatewayEvent) => {
  const started = performance.now();
  const { requestId } = event.requestContext;
  const { caller } = await authenticate(credentialOf(event, runtime.settings.AllowQueryToken));
  const body = JSON.stringify(pong(caller, event, undefined));
  const ms = Math.round(performance.now() - started);
  log('info', {
    function: 'ping',
    requestId,
    route: event.routeKey,
    status: 200,
    outcome: 'success',
    userid: caller.id,
    ms,
  });
  return {
    statusCode: 200,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': requestId,
    },
    body,
  };
};
