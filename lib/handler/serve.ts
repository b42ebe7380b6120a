import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { Contract } from '../contract/contract.ts';
import { type GatewayEvent, type GatewayResult, isGatewayEvent } from '../contract/gateway-event.ts';
import { revalidation, variation } from '../http/caching.ts';
import { compression } from '../http/compression.ts';
import { asAnswer, refusal, rendered } from '../http/envelope.ts';
import type { EndpointMiddleware, EndpointRequest, RequestContext } from '../http/request.ts';
import { requestLog } from '../http/request-log.ts';
import type { Settings } from '../instance/settings.ts';
import { performance } from '../precise-time.ts';
import type { Guard } from '../table/table.ts';
import { trimmed } from '../text/trimmed.ts';

/** Time reserved for answering 503 when a rule does not end in time; earlier reads have their own limits. */
const DEADLINE_MARGIN_MS = 500;

/**
 * Creates the Lambda handler of a contract. Requests pass the middlewares in their order, answers in reverse.
 *
 * @param checks the middlewares next to the rule
 * @param refuse renders failures
 */
export function serve<C extends Contract>(
  contract: C,
  settings: Settings,
  checks: readonly EndpointMiddleware[],
  rule: (request: EndpointRequest<C>, guard: Guard | undefined) => unknown,
  refuse = refusal,
) {
  const handler = middy<RequestContext, GatewayResult>({ timeoutEarlyInMillis: DEADLINE_MARGIN_MS })
    .use([
      requestLog(contract.id),
      variation(contract, settings.CorsAllowedOrigins),
      ...(contract.compress ? [compression()] : []),
      ...(contract.revalidated ? [revalidation()] : []),
      refuse(contract, settings),
      ...checks,
    ])
    .handler(async (context: RequestContext) => {
      context.answer = asAnswer(await rule(requestOf<C>(context), context.guard));
      return rendered(contract, context.answer, context.event);
    });
  return async (event: GatewayEvent, context: Context): Promise<GatewayResult> =>
    isGatewayEvent(event)
      ? handler({ event: withNames(event, contract), startedAt: performance.now() }, context)
      : otherEvent(contract);
}

/** An event whose path has the usernames of its contract without what surrounds them unseen, before anything reads them. */
function withNames(event: GatewayEvent, { accounts = [] }: Contract): GatewayEvent {
  const { pathParameters } = event;
  if (!pathParameters || accounts.length === 0) return event;
  const names = accounts.filter((name) => pathParameters[name] !== undefined);
  const typed = names.map((name) => [name, trimmed(pathParameters[name] as string)]);
  return { ...event, pathParameters: { ...pathParameters, ...Object.fromEntries(typed) } };
}

/** The answer to other events than those of the gateway, as load balancers and REST APIs take it, too. */
const otherEvent = ({ id }: Contract): GatewayResult => ({
  statusCode: 400,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: `The function of ${id} answers requests of its HTTP API only, as events in payload format 2.0. This event has another form.\n`,
});

/**
 * The input of the rule. The contract decides its types, and the middlewares have checked its values by the same contract:
 * the compiler cannot compute the former from a contract that is not known yet, so they are asserted, only here.
 */
const requestOf = <C extends Contract>({ event, authenticated, accounts = [], input }: RequestContext) =>
  ({
    caller: authenticated?.caller,
    actor: authenticated && { by: authenticated.caller.username, requestId: event.requestContext.requestId },
    limits: authenticated?.limits,
    authenticate: authenticated?.authenticate,
    credential: authenticated?.credential,
    secret: authenticated?.secret,
    session: authenticated?.session,
    accounts,
    params: input?.params,
    query: input?.query,
    headers: input?.headers,
    body: input?.body,
    event,
  }) as EndpointRequest<C>;
