import { MAX_ASSERTION_AGE } from '#lib/auth/step-up';
import type { StepUp } from '#lib/contract/contract';
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
  /** An API token, or a session: of level 1, or of level 2 whose assertion is `seconds` old. */
  readonly credential: 'token' | 'level-1' | { readonly seconds: number };
  /** Answer to a request that the contract lists. */
  readonly listed: Answer;
}

const OFF = { SecondFactor: 'off' } as const;
const OFFERED = { SecondFactor: 'offered' } as const;
const REQUIRED = { SecondFactor: 'administrators' } as const;

/** By default an administrator with a passkey, where a passkey matters. */
const caller = (title: string, listed: Answer, others: Partial<Confirming> = {}): Confirming => ({
  title,
  settings: [OFFERED, REQUIRED],
  is: 'administrator',
  hasPasskey: true,
  credential: 'level-1',
  listed,
  ...others,
});

const STEP_UP = '403 `step_up_required`';

/** Callers who differ in what the step-up demands of them. */
export const CONFIRMING = {
  off: caller('`off`: any credential', '200', { settings: [OFF] }),
  without: caller('`offered`: no passkey', '200', { settings: [OFFERED], hasPasskey: false }),
  required: caller('`administrators`: no passkey', STEP_UP, { settings: [REQUIRED], hasPasskey: false }),
  password: caller('level 1', STEP_UP),
  stale: caller('level 2, older', STEP_UP, { credential: { seconds: MAX_ASSERTION_AGE + 1 } }),
  recent: caller('level 2', '200', { credential: { seconds: MAX_ASSERTION_AGE - 60 } }),
  token: caller('API token', '200', { credential: 'token' }),
  refusedToken: caller('API token, `AdministratorTokens=false`', '403 `forbidden`', {
    settings: [{ ...REQUIRED, AdministratorTokens: false }],
    credential: 'token',
  }),
  person: caller('another account with a passkey, for itself, level 1', STEP_UP, { is: 'person' }),
};

/** The principal of the table of all callers. A route for another role is requested by an administrator who has it, too. */
const principalOf = ({ contract: { access } }: Route, is: Confirming['is']): Principal => {
  const own = typeof access === 'object' && access.role !== 'sys_administrator' ? [access.role] : [];
  return is === 'person'
    ? { ...PRINCIPALS.owner, roles: own }
    : { ...PRINCIPALS.sys_administrator, roles: ['sys_administrator', ...own] };
};

/** Whether a contract lists the request of a caller; its body has what the contract names. */
function lists(route: Route, is: Confirming['is']): boolean {
  const { stepUp } = route.contract;
  if (typeof stepUp !== 'object') return stepUp === 'always';
  const { about, by, with: fields, except } = stepUp;
  const isAnother = is === 'administrator' && namesAccount(route);
  return (
    (about && isAnother) || (by && is === 'administrator') || fields !== undefined || except !== undefined
  );
}

/** The answer to a valid request, from the contract only. */
export function answerTo(route: Route, { is, listed }: Confirming): string {
  const status = statusFor(route, principalOf(route, is));
  if (status === 403) return '403 `forbidden`';
  return status === 200 && lists(route, is) ? listed : `${status}`;
}

/** The requests that a contract lists, in words. */
export function listedBy(stepUp: StepUp): string {
  if (stepUp === 'always') return 'all requests';
  if (stepUp.except) return 'all requests, except about own passkeys of another domain';
  const { about, by, with: fields = [] } = stepUp;
  const conditions = [
    ...(about ? ['about another account'] : []),
    ...(by ? ['by a `sys_administrator`'] : []),
    ...fields.map((field) => `with \`${field}\``),
  ];
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
