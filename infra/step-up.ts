import { MAX_ASSERTION_AGE } from '#lib/auth/step-up';
import type { Given, StepUp } from '#lib/contract/contract';
import type { Settings } from '#lib/instance/settings';
import { type Route, routes } from '#lib/routes';
import { namesAccount, PRINCIPALS, type Principal, statusFor } from './principals.ts';

/** Answer to a request: that of the table of all callers, or a refusal of the step-up. */
type Answer = '200' | '403 `forbidden`' | '403 `step_up_required`';

/** Kind of caller, and the settings that decide with it: a column of the table. */
export interface Confirming {
  readonly title: string;
  /** Each of these settings has the same answers. */
  readonly settings: readonly Partial<Settings>[];
  /** `person` is the account itself, without the role of administrators. */
  readonly is: 'administrator' | 'person';
  readonly hasPasskey: boolean;
  /** An API token, or a session: one that it began, of a password, or of level 2 whose assertion is `seconds` old. */
  readonly credential: 'token' | 'token-session' | 'password' | { readonly seconds: number };
  /** Answer to a request that the contract lists. */
  readonly listed: Answer;
}

const OFF = { SecondFactor: 'off' } as const;
const OFFERED = { SecondFactor: 'offered' } as const;
const REQUIRED = { SecondFactor: 'administrators' } as const;
const NO_TOKENS = { ...REQUIRED, AdministratorTokens: false } as const;

/** By default an administrator with a passkey, where a passkey matters. */
const caller = (title: string, listed: Answer, others: Partial<Confirming> = {}): Confirming => ({
  title,
  settings: [OFFERED, REQUIRED],
  is: 'administrator',
  hasPasskey: true,
  credential: 'password',
  listed,
  ...others,
});

const STEP_UP = '403 `step_up_required`';

/** Callers who differ in what the step-up demands of them. */
export const CONFIRMING = {
  off: caller('`off`: a session', '200', { settings: [OFF] }),
  without: caller('`offered`: no passkey', '200', { settings: [OFFERED], hasPasskey: false }),
  required: caller('`administrators`: no passkey', STEP_UP, { settings: [REQUIRED], hasPasskey: false }),
  password: caller('level 1', STEP_UP),
  stale: caller('level 2, older', STEP_UP, { credential: { seconds: MAX_ASSERTION_AGE + 1 } }),
  recent: caller('level 2', '200', { credential: { seconds: MAX_ASSERTION_AGE - 60 } }),
  token: caller('API token, also `off`', '200', {
    settings: [OFF, OFFERED, REQUIRED],
    credential: 'token',
  }),
  refusedToken: caller('API token, `AdministratorTokens=false`', '403 `forbidden`', {
    settings: [NO_TOKENS],
    credential: 'token',
  }),
  begun: caller('session of an API token', STEP_UP, {
    settings: [OFFERED, REQUIRED, NO_TOKENS],
    credential: 'token-session',
  }),
  person: caller('person: level 1', STEP_UP, { is: 'person' }),
  personalToken: caller('person: API token, also `off`', '200', {
    settings: [OFF, OFFERED, REQUIRED, NO_TOKENS],
    is: 'person',
    credential: 'token',
  }),
  personBegun: caller('person: session of an API token', STEP_UP, {
    settings: [OFFERED, REQUIRED, NO_TOKENS],
    is: 'person',
    credential: 'token-session',
  }),
};

/** The principal of the table of all callers. A route for another role is requested by an administrator who has it, too. */
const principalOf = ({ contract: { access } }: Route, is: Confirming['is']): Principal => {
  const own = typeof access === 'object' && access.role !== 'sys_administrator' ? [access.role] : [];
  return is === 'person'
    ? { ...PRINCIPALS.owner, roles: own }
    : { ...PRINCIPALS.sys_administrator, roles: ['sys_administrator', ...own] };
};

/** Whether the request of a caller is about another account: administrators name one wherever a route permits it. */
const isAboutAnother = (route: Route, is: Confirming['is']) => is === 'administrator' && namesAccount(route);

/** Whether a contract lists the request of a caller; its body has what the contract names. */
function lists(route: Route, is: Confirming['is']): boolean {
  const { stepUp } = route.contract;
  if (typeof stepUp !== 'object') return stepUp === 'always';
  const { about, with: given, except } = stepUp;
  return (about && isAboutAnother(route, is)) || given !== undefined || except !== undefined;
}

/** The answer to a valid request, from the contract only. */
export function answerTo(route: Route, { is, listed, credential }: Confirming): string {
  const status = statusFor(route, principalOf(route, is));
  const isOfToken = credential === 'token' || credential === 'token-session';
  const needsSession = route.contract.ownBy === 'session' && !isAboutAnother(route, is);
  if (status === 403 || (needsSession && isOfToken)) return '403 `forbidden`';
  return status === 200 && lists(route, is) ? listed : `${status}`;
}

const textOf = (given: Given) =>
  typeof given === 'string' ? `with \`${given}\`` : `with \`${given.value}\` in \`${given.list}\``;

/** The requests that a contract lists, in words. */
export function listedBy(stepUp: StepUp): string {
  if (stepUp === 'always') return 'all requests';
  const { about, with: given = [], except } = stepUp;
  if (except) return 'all requests, except about own passkeys of another domain';
  const conditions = [...(about ? ['about another account'] : []), ...given.map(textOf)];
  return `requests ${conditions.join(' or ')}`;
}

/** The table of the routes with a step-up and their callers: head and rows. */
export function stepUpTable() {
  const callers = Object.values(CONFIRMING);
  const rows = routes.flatMap((route) => {
    const { method, path, contract } = route;
    return contract.stepUp
      ? [[`${method} \`${path}\``, listedBy(contract.stepUp), ...callers.map((one) => answerTo(route, one))]]
      : [];
  });
  return [['Route', 'For', ...callers.map(({ title }) => title)], rows] as const;
}
