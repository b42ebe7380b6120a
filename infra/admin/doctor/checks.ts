import type { TriedEvent } from '#lib/outbox/trials';
import { ALWAYS, type Settings } from '#lib/settings';
import type { Finding } from '../restore/findings.ts';

/** What came of a check, and what to do where it is wrong. */
export interface Diagnosis {
  readonly check: string;
  /** `missing` and `wrong` are at fault; `unknown` is what is not known here. */
  readonly state: 'ok' | 'missing' | 'wrong' | 'unknown';
  readonly found: string;
}

/**
 * A finding of `restore check`.
 *
 * @param isLocal whether it is of a local instance, whose own table goes with its directory and is not protected
 */
export function tableCheck({ check, state, found }: Finding, isLocal: boolean): Diagnosis {
  if (isLocal && check === 'deletion_protection' && state === 'missing')
    return { check, state: 'ok', found: `${found}, as of all local tables` };
  return state === 'missing'
    ? { check, state, found: `${found}: "restore check --mend" gives it` }
    : { check, state: state === 'mended' ? 'ok' : state, found };
}

/** AWS refuses a signature that is five minutes off; lockouts, sessions and the order of events ask for more. */
const MAX_SKEW_MS = 30_000;

/**
 * Compares the clock of this machine with that of a server.
 *
 * @param date its header `Date`, which has whole seconds
 * @param now when it came, in milliseconds since the epoch
 */
export function clockCheck(date: string | undefined, now: number): Diagnosis {
  const time = Date.parse(date ?? '');
  if (Number.isNaN(time)) return { check: 'clock', state: 'unknown', found: 'DynamoDB tells no time' };
  // Half a second is what whole seconds are off on average.
  const skew = now - time - 500;
  const found = `${Math.abs(skew / 1000).toFixed(1)} s ${skew < 0 ? 'behind' : 'ahead of'} DynamoDB`;
  return Math.abs(skew) <= MAX_SKEW_MS
    ? { check: 'clock', state: 'ok', found }
    : { check: 'clock', state: 'wrong', found: `${found}: set the clock of this machine` };
}

/** The relay sweeps every minute: what has waited for longer is not published for a reason. */
const MAX_WAIT_MS = 5 * 60_000;

export function eventsCheck(events: readonly TriedEvent[], now: number): Diagnosis {
  const setAside = events.filter((event) => event.setAsideAt !== undefined);
  const late = events.filter((event) => now - event.createdAt > MAX_WAIT_MS);
  const found = `${events.length} wait, ${late.length} of them for more than 5 minutes, ${setAside.length} set aside`;
  const error = events.find(({ lastError }) => lastError !== undefined)?.lastError;
  return late.length > 0
    ? {
        check: 'pending_events',
        state: 'wrong',
        found: `${found}${error ? ` (${error})` : ''}: "events pending" tells why, "events publish" publishes them`,
      }
    : { check: 'pending_events', state: 'ok', found };
}

/** What the settings that operator commands know of lead to. */
export const settingsCheck = ({ BcryptCost, Events }: Settings): Diagnosis => ({
  check: 'settings',
  state: 'ok',
  found: `BcryptCost ${BcryptCost}, Events ${[...new Set([...ALWAYS, ...Events])].join(',')}`,
});

/** Dearer hashes than the setting makes are what a login waits for, with a password or without. */
export function passwordCostCheck({ BcryptCost }: Settings, dearest: number): Diagnosis {
  const check = 'password_cost';
  return dearest <= BcryptCost
    ? { check, state: 'ok', found: `logins take cost ${BcryptCost}` }
    : {
        check,
        state: 'ok',
        found: `logins take cost ${dearest}, as there may be hashes of it: "account password-costs" counts them`,
      };
}

/** What a stack has only since it was deployed by a version that knows of it. */
export function outputsCheck(given: Readonly<Record<string, unknown>>): Diagnosis {
  const lacking = Object.keys(given).filter((name) => given[name] === undefined);
  return lacking.length > 0
    ? { check: 'outputs', state: 'missing', found: `no ${lacking.join(', no ')}: deploy the stack again` }
    : { check: 'outputs', state: 'ok', found: Object.keys(given).join(', ') };
}

/** Of what the outputs of a stack name, and nobody has. */
const NOT_THERE = ['ResourceNotFoundException', 'table_not_found'];

/** A check that could not be made, and what to do about it. */
export function unchecked(check: string, { name, message }: Error): Diagnosis {
  const found = `cannot be checked: ${name}: ${message}`;
  if (NOT_THERE.includes(name))
    return { check, state: 'wrong', found: `${found}: was it deleted? Deploy the stack again` };
  return name.startsWith('AccessDenied')
    ? { check, state: 'wrong', found: `${found}: infra/admin/README.md tells what the doctor may do` }
    : { check, state: 'wrong', found };
}

/** Whether the service answers as it does to who has no credential. */
export function serviceCheck(status: number | Error): Diagnosis {
  const check = 'service';
  if (typeof status !== 'number')
    return { check, state: 'wrong', found: `${status.message}: is it started? Its log tells more` };
  return status === 401
    ? { check, state: 'ok', found: 'answers, and refuses who has no credential' }
    : { check, state: 'wrong', found: `answers ${status} to who has no credential: its log tells why` };
}
