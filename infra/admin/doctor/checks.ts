import { ALWAYS, type Settings } from '#lib/instance/settings';
import type { PasswordCost } from '#lib/item/instance';
import type { TriedEvent } from '#lib/outbox/trials';
import { highestCost, nameOf } from '#lib/password/cost';
import { PRFS } from '#lib/password/imported';
import type { Diagnosis } from '../diagnosis.ts';

const ok = (check: string, found: string): Diagnosis => ({ check, state: 'ok', found });
const wrong = (check: string, found: string): Diagnosis => ({ check, state: 'wrong', found });

/** A finding of `restore check`; a local table is deleted with its directory and needs no protection. */
export function table({ check, state, found }: Diagnosis, isLocal: boolean): Diagnosis {
  if (state !== 'missing') return { check, state, found };
  return isLocal && check === 'deletion_protection'
    ? ok(check, `${found}, as for all local tables`)
    : { check, state, found: `${found}: "restore check --mend" adds it` };
}

/** AWS refuses signatures after five minutes; lockouts, sessions and the order of events need a better clock. */
const MAX_SKEW_MS = 30_000;

/** Compares the clock of this machine with a header `Date`, in whole seconds, that arrived `now`. */
export function clock(date: string | undefined, now: number): Diagnosis {
  const time = Date.parse(date ?? '');
  if (Number.isNaN(time)) return { check: 'clock', state: 'unknown', found: 'DynamoDB reports no time' };
  // Whole seconds are half a second late on average.
  const skew = now - time - 500;
  const found = `${Math.abs(skew / 1000).toFixed(1)} s ${skew < 0 ? 'behind' : 'ahead of'} DynamoDB`;
  return Math.abs(skew) <= MAX_SKEW_MS
    ? ok('clock', found)
    : wrong('clock', `${found}: set the clock of this machine`);
}

/** The relay sweeps every minute: an event that waits longer has failed. */
const MAX_WAIT_MS = 5 * 60_000;

export function events(events: readonly TriedEvent[], now: number): Diagnosis {
  const check = 'pending_events';
  const late = events.filter((event) => now - event.createdAt > MAX_WAIT_MS).length;
  const setAside = events.filter((event) => event.setAsideAt !== undefined).length;
  const found = `${events.length} wait, ${late} of them for more than 5 minutes, ${setAside} dead-lettered`;
  if (late === 0) return ok(check, found);
  const error = events.find(({ lastError }) => lastError !== undefined)?.lastError;
  const advice = '"events pending" shows why, "events publish" publishes them';
  return wrong(check, `${found}${error ? ` (${error})` : ''}: ${advice}`);
}

export const settings = ({ BcryptCost, Events }: Settings): Diagnosis =>
  ok('settings', `BcryptCost ${BcryptCost}, Events ${[...new Set([...ALWAYS, ...Events])].join(',')}`);

/** Every login takes as long as the hashes of the highest cost of each kind, with a password or without. */
export function passwordCost(settings: Settings, noted: PasswordCost | undefined): Diagnosis {
  const rounds = PRFS.filter((prf) => noted?.[prf]).map((prf) => `${noted?.[prf]} rounds of ${nameOf(prf)}`);
  const highest = highestCost(noted, settings);
  const usual = highest === settings.BcryptCost && rounds.length === 0 && !noted?.imported;
  const why = usual ? '' : ', as stored hashes may have this cost: "account password-costs" counts them';
  return ok('password_cost', `logins take cost ${[highest, ...rounds].join(' and ')}${why}`);
}

/** Errors for a resource that the outputs of a stack name but that no longer exists. */
const NOT_THERE = ['ResourceNotFoundException', 'table_not_found'];

/** The diagnosis of a check that could not be made, with a remedy. */
export function unchecked(check: string, { name, message }: Error): Diagnosis {
  const advice = NOT_THERE.includes(name)
    ? ': was it deleted? Deploy the stack again'
    : name.startsWith('AccessDenied')
      ? ': infra/admin/permissions.md lists the permissions of the doctor'
      : '';
  return wrong(check, `cannot be checked: ${name}: ${message}${advice}`);
}

/** Whether the service answers 401 to requests without a credential, or to logins with an unknown name. */
export function refusal(check: 'service' | 'login', status: number | Error): Diagnosis {
  const what = check === 'login' ? 'logins with an unknown name' : 'requests without a credential';
  if (typeof status !== 'number') return wrong(check, `${status.message}: is it started? See its log`);
  if (status === 401) return ok(check, `answers, and refuses ${what}`);
  return status === 429
    ? { check, state: 'unknown', found: `too many ${what} from the address of this machine` }
    : wrong(check, `answers ${status} to ${what}: see its log`);
}
