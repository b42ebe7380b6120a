import type { Contract, ResponseOf } from '../contract/contract.ts';
import { audit } from '../http/audit.ts';
import { authentication } from '../http/authentication.ts';
import { authorization, targetIn } from '../http/authorization.ts';
import { body, withoutBody } from '../http/body.ts';
import { existence } from '../http/existence.ts';
import type { EndpointMiddleware, EndpointRequest } from '../http/request.ts';
import { validation } from '../http/validation.ts';
import { type Runtime, runtimeFromEnvironment } from '../runtime.ts';
import { type CachedPublicKeys, cachedPublicKeys } from '../session/public-keys.ts';
import { initialise } from './init.ts';
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
 * @returns the handler, with the work of {@link initialise} that precedes its first event
 */
export function endpoint<const C extends Contract>(contract: C, rule: Rule<C>, ...openers: Openers<C>) {
  const own = runtimeFromEnvironment();
  const runtime = { ...own, ...open<C>(openers, own) };
  const publicKeys = cachedPublicKeys(runtime.table, runtime.now);
  const middlewares = checks(contract, runtime, publicKeys);
  const handler = serve(contract, runtime.settings, middlewares, (request: EndpointRequest<C>, guard) =>
    rule(request, { ...runtime, table: guard ? { ...runtime.table, guard } : runtime.table }),
  );
  return Object.assign(handler, { init: () => initialise(publicKeys) });
}

/**
 * The order of checks is credential, role, shape of the input, existence of the target. If the target is in the body, the
 * shape comes before the role.
 */
function checks(contract: Contract, runtime: Runtime, publicKeys: CachedPublicKeys): EndpointMiddleware[] {
  const isClosed = contract.access !== 'public' && contract.access !== 'authenticated-or-code';
  const authorizing = isClosed ? [authorization(contract, runtime.now)] : [];
  const isInBody = targetIn(contract) === 'body';
  return [
    audit(contract),
    ...(contract.access === 'public' ? [] : [authentication(contract, runtime, publicKeys)]),
    ...(isInBody ? [] : authorizing),
    contract.body ? body(contract) : withoutBody(),
    validation(contract),
    ...(isInBody ? authorizing : []),
    ...(contract.accounts && !contract.accountsMayBeGone ? [existence()] : []),
  ];
}
