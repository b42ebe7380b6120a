import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { Contract, ResponseOf } from '../contract/contract.ts';
import type { GatewayEvent, GatewayResult } from '../contract/gateway-event.ts';
import { audit } from '../http/audit.ts';
import { authentication } from '../http/authentication.ts';
import { authorization, targetIn } from '../http/authorization.ts';
import { body, withoutBody } from '../http/body.ts';
import { compression } from '../http/compression.ts';
import { envelope } from '../http/envelope.ts';
import { existence } from '../http/existence.ts';
import type { EndpointEvent, EndpointMiddleware, EndpointRequest } from '../http/request.ts';
import { requestLog } from '../http/request-log.ts';
import { revalidation } from '../http/revalidation.ts';
import { validation } from '../http/validation.ts';
import { variation } from '../http/variation.ts';
import { type Runtime, runtimeFromEnvironment } from '../runtime.ts';
import type { Table } from '../table/table.ts';
import { type Openers, open, type ResourcesOf } from './resources.ts';

/** Time reserved for answering 503 when a rule does not end in time; earlier reads have their own limits. */
const DEADLINE_MARGIN_MS = 500;

type Rule<C extends Contract> = (
  request: EndpointRequest<C>,
  runtime: Runtime & ResourcesOf<C>,
) => ResponseOf<C> | Promise<ResponseOf<C>>;

/**
 * Creates the function of an endpoint: its contract decides the stack, its rule decides the answer.
 *
 * @param openers openers of the resources that the contract needs
 */
export function endpoint<const C extends Contract>(contract: C, rule: Rule<C>, ...openers: Openers<C>) {
  const own = runtimeFromEnvironment();
  const runtime = { ...own, ...open<C>(openers, own) };
  const handler = middy<EndpointEvent, GatewayResult>({ timeoutEarlyInMillis: DEADLINE_MARGIN_MS })
    .use(stack(contract, runtime))
    .handler(
      (event: EndpointEvent) =>
        rule(toRequest<C>(event), {
          ...runtime,
          table: guarded(runtime.table, event),
        }) as unknown as GatewayResult,
    );
  return (event: GatewayEvent, context: Context): Promise<GatewayResult> =>
    handler(event as EndpointEvent, context);
}

/**
 * The middlewares of an endpoint, in the order of a request; an answer passes them in reverse. The order of checks is
 * credential, role, shape of the input, existence of the target. If the target is in the body, the shape comes before
 * the role.
 */
function stack(contract: Contract, runtime: Runtime): EndpointMiddleware[] {
  const isClosed = contract.access !== 'public' && contract.access !== 'authenticated-or-code';
  const authorizing = isClosed ? [authorization(contract, runtime.now)] : [];
  const isInBody = targetIn(contract) === 'body';
  return [
    requestLog(contract.id),
    variation(contract, runtime.settings.CorsAllowedOrigins),
    ...(contract.compress ? [compression()] : []),
    ...(contract.revalidated ? [revalidation()] : []),
    envelope(contract),
    audit(contract),
    ...(contract.access === 'public' ? [] : [authentication(contract, runtime)]),
    ...(isInBody ? [] : authorizing),
    contract.body ? body(contract) : withoutBody(),
    validation(contract),
    ...(isInBody ? authorizing : []),
    ...(contract.accounts ? [existence()] : []),
  ];
}

const guarded = (table: Table, { guard }: EndpointEvent): Table => (guard ? { ...table, guard } : table);

const toRequest = <C extends Contract>({
  caller,
  credential,
  limits,
  authenticate,
  secret,
  guard: _,
  accounts = [],
  params,
  query,
  given,
  ...event
}: EndpointEvent) =>
  ({
    caller,
    actor: caller && { by: caller.username, requestId: event.requestContext.requestId },
    credential,
    limits,
    authenticate,
    secret,
    accounts,
    params,
    query,
    headers: given ?? {},
    body: event.body,
    event,
  }) as unknown as EndpointRequest<C>;
