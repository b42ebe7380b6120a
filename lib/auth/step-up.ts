import { sameUsername } from '../account/account.ts';
import type { Caller } from '../account/caller.ts';
import type { Given, StepUp } from '../contract/contract.ts';
import type { FieldError } from '../failure/codes.ts';
import { relyingPartyId } from '../instance/relying-party.ts';
import type { Settings } from '../instance/settings.ts';
import { hasPasskey } from '../item/account.ts';
import { isRecent, type Session } from '../session/session-token.ts';

/** Maximum age of the assertion of a passkey that confirms a request, in seconds. */
export const MAX_ASSERTION_AGE = 300;

const isAdministrator = ({ roles }: Caller) => roles.includes('sys_administrator');

/** The parts of a request that decide whether it needs the step-up. */
export interface Confirmable {
  readonly caller: Caller;
  /** The `username` in the path or the body, if any. */
  readonly target: string | undefined;
  /** The body in the shape of its contract. */
  readonly body: unknown;
}

/** Whether a contract lists a request among those that need the step-up. */
export function isListed(stepUp: StepUp, { caller, target, body }: Confirmable): boolean {
  if (stepUp === 'always') return true;
  const { about, with: given = [], except } = stepUp;
  return (
    except !== undefined ||
    (about === 'another' && target !== undefined && !sameUsername(target, caller.username)) ||
    given.some((one) => isIn(body, one))
  );
}

/** Whether a body has a value at a dotted path: no empty list, which changes nothing. */
function isIn(body: unknown, given: Given): boolean {
  const path = typeof given === 'string' ? given : given.list;
  const value = path
    .split('.')
    .reduce<unknown>(
      (at, name) => (at as Readonly<Record<string, unknown>> | null | undefined)?.[name],
      body,
    );
  if (typeof given !== 'string') return Array.isArray(value) && value.includes(given.value);
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
}

/** Why a request is refused, and the part of the credential that decides. */
interface Refusal extends FieldError {
  readonly code: 'forbidden' | 'step_up_required';
}

/**
 * Decides a request that needs the step-up: its session must have begun with a passkey of the account, a few minutes ago
 * at most, as far as the instance demands it. API tokens cannot assert a passkey; a session that one has begun is like that
 * of a password.
 *
 * @param session that authenticates; undefined for an API token
 * @param now in milliseconds since the epoch
 * @returns undefined if the request may go on
 */
export function refusalOf(
  settings: Settings,
  caller: Caller,
  session: Pick<Session, 'auth_time'> | undefined,
  now: number,
): Refusal | undefined {
  const { SecondFactor, AdministratorTokens } = settings;
  const isRequired = SecondFactor === 'administrators' && isAdministrator(caller);
  if (!session) return isRequired && !AdministratorTokens ? TOKEN : undefined;
  if (SecondFactor === 'off') return undefined;
  const canAssert = hasPasskey(caller, relyingPartyId(settings));
  if (!canAssert) return isRequired ? MISSING.passkey : undefined;
  if (session.auth_time === undefined) return MISSING.assertion;
  return isRecent(session.auth_time, MAX_ASSERTION_AGE, now) ? undefined : MISSING.recentAssertion;
}

const TOKEN: Refusal = {
  code: 'forbidden',
  field: 'credential',
  message: 'Requires a session: API tokens of administrators may not do this',
};

const missing = (field: string, message: string): Refusal => ({ code: 'step_up_required', field, message });

const MISSING = {
  passkey: missing(
    'passkey',
    'The account has no passkey that works here: enrol one with account/passkey/create',
  ),
  assertion: missing('amr', 'Requires a session from account/passkey/assert'),
  recentAssertion: missing(
    'auth_time',
    `Must be at most ${MAX_ASSERTION_AGE} seconds ago: assert a passkey again`,
  ),
};
