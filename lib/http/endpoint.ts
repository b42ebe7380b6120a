import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { type Runtime, runtimeFromEnvironment } from '../runtime.ts';
import { accessLog } from './access-log.ts';
import { authentication } from './authentication.ts';
import { body } from './body.ts';
import { compression } from './compression.ts';
import type { Contract } from './contract.ts';
import { render } from './envelope.ts';
import type { GatewayEvent, GatewayResult } from './event.ts';
import { existence } from './existence.ts';
import type { EndpointEvent, EndpointMiddleware, EndpointRequest } from './request.ts';
import { validation } from './validation.ts';

/** Left for answering 503 when a rule does not end in time; what is read before it has limits of its own. */
const DEADLINE_MARGIN_MS = 500;

type Rule<C extends Contract> = (request: EndpointRequest<C>, runtime: Runtime) => unknown;

/** The function of an endpoint: its contract decides the stack, the rule decides the answer. */
export function endpoint<const C extends Contract>(contract: C, rule: Rule<C>) {
  const runtime = runtimeFromEnvironment();
  const handler = middy<EndpointEvent, GatewayResult>({ timeoutEarlyInMillis: DEADLINE_MARGIN_MS })
    .use(stack(contract, runtime))
    .handler((event: EndpointEvent) => rule(toRequest<C>(event), runtime) as GatewayResult);
  return (event: GatewayEvent, context: Context): Promise<GatewayResult> =>
    handler(event as EndpointEvent, context);
}

/**
 * The middlewares of an endpoint, in the order in which a request meets them; its answer meets them the other
 * way round. Hence the order of checks: credential, role, shape of the input, existence of the target.
 */
const stack = (contract: Contract, runtime: Runtime): EndpointMiddleware[] => [
  accessLog(contract.id),
  ...(contract.compress ? [compression()] : []),
  render(contract),
  ...(contract.access === 'public' ? [] : [authentication(contract, runtime)]),
  ...(contract.body ? [body(contract)] : []),
  validation(contract),
  ...(contract.accounts ? [existence()] : []),
];

const toRequest = <C extends Contract>({ caller, accounts = [], params, query, ...event }: EndpointEvent) =>
  ({ caller, accounts, params, query, body: event.body, event }) as EndpointRequest<C>;
