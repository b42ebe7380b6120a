import { type Contract, mayLackCredential, type ResponseOf, type StepUp } from '../contract/contract.ts';
import { audit } from '../http/audit.ts';
import { authentication } from '../http/authentication.ts';
import { authorization, existence, targetIn } from '../http/authorization.ts';
import { body, withoutBody } from '../http/body.ts';
import type { refusal } from '../http/envelope.ts';
import type { EndpointMiddleware, EndpointRequest } from '../http/request.ts';
import type { StepUpCheck } from '../http/step-up.ts';
import { validation } from '../http/validation.ts';
import { type Runtime, runtimeFromEnvironment } from '../runtime.ts';
import { type CachedPublicKeys, cachedPublicKeys } from '../session/public-keys.ts';
import { initialise } from './init.ts';
import { type Openers, type OpenersOf, open, type ResourcesOf } from './resources.ts';
import { serve } from './serve.ts';

/** The keys of sessions, which the function has read before its first request. */
interface Verifying {
  readonly publicKeys: CachedPublicKeys;
}

type Rule<C extends Contract> = (
  request: EndpointRequest<C>,
  runtime: Runtime & ResourcesOf<C> & Verifying,
) => ResponseOf<C> | Promise<ResponseOf<C>>;

/** The renderer of refusals. */
type Refusal = typeof refusal;

/** The openers of a contract, and the check of its step-up, or its own refusals, if it demands them: the compiler requires all. */
type Given<C extends Contract> = C extends { readonly stepUp: StepUp }
  ? [given: OpenersOf<C> & { readonly stepUp: StepUpCheck }]
  : C extends { readonly errors: 'oauth' }
    ? [given: OpenersOf<C> & { readonly refusal: Refusal }]
    : Openers<C>;

/**
 * Creates the function of an endpoint: its contract decides the stack, its rule decides the answer.
 *
 * @param given openers of the resources that the contract needs, the check of its step-up, and its own refusals
 * @returns the handler, with the work of {@link initialise} that precedes its first event
 */
export function endpoint<const C extends Contract>(contract: C, rule: Rule<C>, ...given: Given<C>) {
  const own = runtimeFromEnvironment();
  const [{ stepUp, refusal, ...openers } = {}] = given as [
    { readonly stepUp?: StepUpCheck; readonly refusal?: Refusal }?,
  ];
  const runtime = { ...own, ...open<C>([openers] as Openers<C>, own) };
  const publicKeys = cachedPublicKeys(runtime.table, runtime.now);
  const confirming = stepUp ? [stepUp(contract, runtime)] : [];
  const middlewares = checks(contract, runtime, publicKeys, confirming);
  const handler = serve(
    contract,
    runtime.settings,
    middlewares,
    (request: EndpointRequest<C>, guard) =>
      rule(request, { ...runtime, publicKeys, table: guard ? { ...runtime.table, guard } : runtime.table }),
    refusal,
  );
  return Object.assign(handler, { init: () => initialise(publicKeys) });
}

/**
 * The order of checks is credential, role, shape of the input, step-up, existence of the target. If the target is in the
 * body, the shape comes before the role.
 */
function checks(
  contract: Contract,
  runtime: Runtime,
  publicKeys: CachedPublicKeys,
  confirming: readonly EndpointMiddleware[],
): EndpointMiddleware[] {
  const authorizing = mayLackCredential(contract.access) ? [] : [authorization(contract, runtime.now)];
  const isInBody = targetIn(contract) === 'body';
  return [
    audit(contract),
    ...(contract.access === 'public' ? [] : [authentication(contract, runtime, publicKeys)]),
    ...(isInBody ? [] : authorizing),
    contract.body ? body(contract) : withoutBody(),
    validation(contract),
    ...(isInBody ? authorizing : []),
    ...confirming,
    ...(contract.accounts && !contract.accountsMayBeGone ? [existence()] : []),
  ];
}
