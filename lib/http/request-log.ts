import { log } from '../log.ts';
import type { EndpointMiddleware } from './request.ts';

/** One line a request: the function, the route, who called, the status, the time; nothing of what was sent. */
export function requestLog(id: string): EndpointMiddleware {
  const started = new WeakMap<object, number>();
  const write: EndpointMiddleware['after'] = ({ event, response }) => {
    log('info', {
      function: id,
      requestId: event.requestContext.requestId,
      route: event.routeKey,
      status: response?.statusCode,
      userid: event.caller?.id,
      ms: Math.round(performance.now() - (started.get(event) ?? Number.NaN)),
    });
  };
  return {
    before: ({ event }) => {
      started.set(event, performance.now());
    },
    after: write,
    onError: write,
  };
}
