import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { Contract } from '../contract/contract.ts';
import type { GatewayEvent, GatewayResult } from '../contract/gateway-event.ts';
import { compression } from '../http/compression.ts';
import { envelope } from '../http/envelope.ts';
import type { EndpointEvent, EndpointMiddleware, EndpointRequest } from '../http/request.ts';
import { requestLog } from '../http/request-log.ts';
import { revalidation } from '../http/revalidation.ts';
import { variation } from '../http/variation.ts';
import type { Settings } from '../settings.ts';
import type { Guard } from '../table/table.ts';

/** Time reserved for answering 503 when a rule does not end in time; earlier reads have their own limits. */
const DEADLINE_MARGIN_MS = 500;

/**
 * Creates the Lambda handler of a contract. Requests pass the middlewares in their order, answers in reverse.
 *
 * @param checks the middlewares next to the rule
 */
export function serve<C extends Contract>(
  contract: C,
  { CorsAllowedOrigins }: Settings,
  checks: readonly EndpointMiddleware[],
  rule: (request: EndpointRequest<C>, guard: Guard | undefined) => unknown,
) {
  const handler = middy<EndpointEvent, GatewayResult>({ timeoutEarlyInMillis: DEADLINE_MARGIN_MS })
    .use([
      requestLog(contract.id),
      variation(contract, CorsAllowedOrigins),
      ...(contract.compress ? [compression()] : []),
      ...(contract.revalidated ? [revalidation()] : []),
      envelope(contract),
      ...checks,
    ])
    .handler((event: EndpointEvent) => rule(requestOf<C>(event), event.guard) as GatewayResult);
  return (event: GatewayEvent, context: Context): Promise<GatewayResult> =>
    handler(event as EndpointEvent, context);
}

const requestOf = <C extends Contract>(event: EndpointEvent) =>
  ({
    accounts: [],
    ...event,
    actor: event.caller && { by: event.caller.username, requestId: event.requestContext.requestId },
    headers: event.given ?? {},
    event,
  }) as unknown as EndpointRequest<C>;
