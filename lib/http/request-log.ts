import { Failure } from '../failure/failure.ts';
import { log } from '../log/log.ts';
import { performance } from '../precise-time.ts';
import type { EndpointMiddleware } from './request.ts';

type Outcome = 'success' | 'refused' | 'failed';

const outcomeOf = (status = 500): Outcome => (status < 400 ? 'success' : status < 500 ? 'refused' : 'failed');

/**
 * Logs one line per request: function, route, caller, status, outcome, cause of a refused credential, time, and whether it is the first request of its
 * execution environment; no part of the input. Metrics come from it, so `function` and `outcome` have few values.
 */
export function requestLog(id: string): EndpointMiddleware {
  let isFirst = true;
  const write: EndpointMiddleware['after'] = ({ event: context, response, error }) => {
    const { event, authenticated, startedAt, answer } = context;
    log('info', {
      function: id,
      requestId: event.requestContext.requestId,
      route: event.routeKey,
      status: response?.statusCode,
      outcome: outcomeOf(response?.statusCode),
      cause: error instanceof Failure ? error.cause : answer?.cause,
      ...(isFirst ? { start: 'cold' } : {}),
      userid: authenticated?.caller.id,
      ms: Math.round(performance.now() - startedAt),
    });
    isFirst = false;
  };
  return { after: write, onError: write };
}
