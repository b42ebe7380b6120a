import type { Contract, ResponseOf } from '../contract/contract.ts';
import { audit } from '../http/audit.ts';
import { authentication } from '../http/authentication.ts';
import { authorization, targetIn } from '../http/authorization.ts';
import { body, withoutBody } from '../http/body.ts';
import { existence } from '../http/existence.ts';
import type { EndpointMiddleware, EndpointRequest } from '../http/request.ts';
import { validation } from '../http/validation.ts';
import { type Runtime, runtimeFromEnvironment } from '../runtime.ts';
import { type Openers, open, type ResourcesOf } from './resources.ts';
import { serve } from './serve.ts';

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
  return serve(contract, runtime.settings, checks(contract, runtime), (request: EndpointRequest<C>, guard) =>
    rule(request, { ...runtime, table: guard ? { ...runtime.table, guard } : runtime.table }),
  );
}

/**
 * The order of checks is credential, role, shape of the input, existence of the target. If the target is in the body, the
 * shape comes before the role.
 */
function checks(contract: Contract, runtime: Runtime): EndpointMiddleware[] {
  const isClosed = contract.access !== 'public' && contract.access !== 'authenticated-or-code';
  const authorizing = isClosed ? [authorization(contract, runtime.now)] : [];
  const isInBody = targetIn(contract) === 'body';
  return [
    audit(contract),
    ...(contract.access === 'public' ? [] : [authentication(contract, runtime)]),
    ...(isInBody ? [] : authorizing),
    contract.body ? body(contract) : withoutBody(),
    validation(contract),
    ...(isInBody ? authorizing : []),
    ...(contract.accounts ? [existence()] : []),
  ];
}
