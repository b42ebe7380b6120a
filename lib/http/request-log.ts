import { log } from '../log/log.ts';
import { performance } from '../time.ts';
import type { EndpointMiddleware } from './request.ts';

type Outcome = 'success' | 'refused' | 'failed';

const outcomeOf = (status = 500): Outcome => (status < 400 ? 'success' : status < 500 ? 'refused' : 'failed');

/**
 * Logs one line per request: function, route, caller, status, outcome, time, and whether it is the first request of its
 * execution environment; no part of the input. Metrics come from it, so `function` and `outcome` have few values.
 */
export function requestLog(id: string): EndpointMiddleware {
  let isFirst = true;
  const write: EndpointMiddleware['after'] = ({ event, response }) => {
    log('info', {
      function: id,
      requestId: event.requestContext.requestId,
      route: event.routeKey,
      status: response?.statusCode,
      outcome: outcomeOf(response?.statusCode),
      ...(isFirst ? { start: 'cold' } : {}),
      userid: event.caller?.id,
      ms: Math.round(performance.now() - (event.startedAt ?? Number.NaN)),
    });
    isFirst = false;
  };
  return {
    before: ({ event }) => {
      event.startedAt = performance.now();
    },
    after: write,
    onError: write,
  };
}
