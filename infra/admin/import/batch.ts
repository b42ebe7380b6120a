import { readAccounts } from '#lib/account/account';
import { accountOf, nameWrites, writesOf } from '#lib/account/create';
import { lockedOn } from '#lib/account/lock-terms';
import { readOwner } from '#lib/account/machine';
import { membershipDetails } from '#lib/account/memberships';
import { PATIENT } from '#lib/async/retry';
import type { Occurrence } from '#lib/event/event';
import { user_create } from '#lib/event/user-events';
import { Failure } from '#lib/failure/failure';
import { type Account, FOREVER } from '#lib/item/account';
import { announce, occurrenceBy } from '#lib/outbox/announcement';
import { commitWithEvents } from '#lib/outbox/commit';
import type { NewPassword } from '#lib/password/hash';
import { erasedAmong, erasedIdsAmong } from '#lib/pseudonym/erased';
import { countIn } from '#lib/stats/counters';
import { countLockout } from '#lib/stats/slices';
import { patiently } from '#lib/table/bulk';
import { cancellationKey } from '#lib/table/keys';
import { storing, TRANSACTION_WRITES, type TransactWrite } from '#lib/table/write';
import { presentMemberships } from '#lib/team/team';
import { foldCase } from '#lib/text/fold-case';
import type { Recorded } from '../recording.ts';
import type { Target } from '../target.ts';
import type { Entry } from './entry.ts';

export type Outcome = 'created' | 'existing' | 'failed';

export interface Writer extends Pick<Recorded, 'runtime' | 'actor' | 'record'> {
  readonly hash: (password: NewPassword) => Promise<string>;
  /** Gives names of erased accounts to new ones. */
  readonly force?: true | undefined;
  /** Receives the outcome of each account. */
  readonly report?: (entry: Entry, outcome: Outcome) => void;
}

/** The most writes of an account: itself, password, properties, cancellation, the row of its name, its event. */
const OF_ONE = 6;

/** The most writes of a batch besides those of its accounts: counters. */
const OF_ALL = 4;

/**
 * Accounts of a transaction, of 175 kB each at most; one with the name of an erased account is written alone. A batch waits
 * for its hashes; a batch that is cut off loses them.
 */
export const BATCH = Math.floor((TRANSACTION_WRITES - OF_ALL) / OF_ONE);

/** Attempts while others create the same accounts at the same moment. */
const ATTEMPTS = 20;

interface Made {
  readonly entry: Entry;
  account: Account;
  /** The condition on the owner of a machine. */
  owned?: TransactWrite;
  readonly occurrence: Occurrence;
  hash?: string | undefined;
}

/** Creates those accounts of one shard that do not exist yet, in one transaction. */
export async function writeBatch(writer: Writer, given: readonly Entry[]) {
  const entries = await withPresentTeams(writer, given);
  let made = makeAccounts(writer, entries);
  for (let attempt = 0; ; attempt++) {
    const usernames = made.map(({ account }) => account.username);
    const accounts = await patiently(() => readAccounts(writer.runtime.table, usernames));
    // The answer of a transaction was lost, and the SDK sent it again: all of its accounts exist.
    if (made.some(({ account }, index) => accounts[index]?.id === account.id)) break;
    made = made.filter((_, index) => accounts[index] === undefined);
    await checkErased(writer, made);
    await Promise.all(made.flatMap((one) => [addHash(writer, one), addOwner(writer, one)]));
    if (made.length === 0 || !(await patiently(() => commit(writer, made)))) break;
    if (attempt === ATTEMPTS) throw new Error('Another process creates the same accounts at the same time');
  }
  if (made.length > 0)
    await writer.record(
      made.map(({ account: it }) => ({
        target: it.username,
        details: { ...membershipDetails(it), ...(it.owner && { machine_owner: it.owner }) },
      })),
    );
  const created = new Set(made.map(({ entry }) => entry));
  for (const entry of entries) writer.report?.(entry, created.has(entry) ? 'created' : 'existing');
  return { created: made.length, existing: entries.length - made.length };
}

/**
 * Entries with their teams as they are now: an import may take longer than the deletion of a team.
 *
 * @throws Failure `team_not_found` for a team that is gone
 */
async function withPresentTeams({ runtime }: Writer, entries: readonly Entry[]): Promise<readonly Entry[]> {
  const all = entries.flatMap(({ memberships }) => memberships);
  const present = await patiently(() => presentMemberships(runtime.table, all));
  return entries.map((entry) => {
    const own = present.splice(0, entry.memberships.length);
    const memberships = own.filter((one) => one !== undefined);
    if (memberships.length < own.length) throw new Failure('team_not_found');
    return { ...entry, memberships };
  });
}

const ERASED = 'An account with this username was erased: --force creates another';
const ERASED_ID = 'The username is the ID of an erased account';

/** Those of some usernames, in lower case, that were of erased accounts and of nobody since, or are their IDs, with the fault. */
export async function erasedNames({ table, hashName }: Target['runtime'], usernames: readonly string[]) {
  const names = usernames.map(foldCase);
  const erased = await patiently(() => erasedAmong(table, hashName, names));
  const ids = await patiently(() => erasedIdsAmong(table, names));
  const free = [...erased].filter(([, { name_reused_at }]) => name_reused_at === undefined);
  return {
    /** `--force` gives these to other accounts. */
    ofNames: new Map(free.map(([name]) => [name, ERASED])),
    ofIds: new Map(ids.map((id) => [id, ERASED_ID])),
  };
}

/** Thrown for accounts that have to be written alone, or not at all: the caller then repeats each of a batch alone. */
async function checkErased({ runtime, force }: Writer, made: readonly Made[]): Promise<void> {
  const { ofNames, ofIds } = await erasedNames(
    runtime,
    made.map(({ account }) => account.username),
  );
  const [fault] = [...ofIds.values(), ...(force && made.length === 1 ? [] : ofNames.values())];
  if (fault !== undefined) throw Object.assign(new Error(fault), { name: 'account_erased' });
}

function makeAccounts({ runtime, actor }: Writer, entries: readonly Entry[]) {
  const at = runtime.now();
  return entries.map((entry): Made => {
    const { draft, memberships, isactive, islocked, lockoutend: until, lock_reason: reason } = entry;
    const cancelled = { isactive, cancelled_at: new Date(at).toISOString(), cancelled_by: actor.by };
    const account = {
      ...accountOf(runtime, draft, memberships, at),
      ...(isactive ? {} : cancelled),
      // For one that has ended, a write could add and remove the same counter, which DynamoDB refuses.
      ...(islocked && (until ?? at + 1) > at ? lockedOn({ until, reason }) : {}),
    };
    return { entry, account, occurrence: { ...occurrenceBy(runtime, actor), at } };
  });
}

async function addHash({ hash }: Writer, made: Made) {
  const { password, password_hash } = made.entry.draft;
  made.hash ??= password === undefined ? password_hash : await hash(password);
}

/** @throws Failure `invalid_request` unless the owner of a machine is an active person */
async function addOwner({ runtime: { table } }: Writer, made: Made) {
  const { owner, username } = made.account;
  if (owner === undefined) return;
  const { person, check } = await patiently(() => readOwner(table, owner, username));
  made.account = { ...made.account, owner: person.username };
  made.owned = check;
}

/** @returns the condition that failed, if any: one of the accounts exists */
async function commit({ runtime, force }: Writer, made: readonly Made[]) {
  const { username } = (made[0] as Made).account;
  const locked = made.filter(({ account }) => account.lockoutend === FOREVER).length;
  const ends = made.flatMap(({ account: { username, lockoutend: end = FOREVER } }) =>
    end === FOREVER ? [] : countLockout(runtime.table, username, Date.parse(end), runtime.now()),
  );
  const names = made.map(({ account, occurrence }) =>
    nameWrites(runtime, account.username, occurrence.at, force && made.length === 1),
  );
  // In one wait: a fault of one must not leave another without a handler, which would end the process.
  const [ofNames, counts] = await Promise.all([Promise.all(names), Promise.all(ends)]);
  const writes = [
    ...made.flatMap(writesOfMade),
    ...ofNames.flat(),
    countIn('COUNT', username, made.length),
    ...(locked > 0 ? [countIn('LOCKED', username, locked)] : []),
    ...counts,
  ];
  const events = made.flatMap(({ account, occurrence }) =>
    announce(runtime, user_create, occurrence, undefined).events(account),
  );
  return commitWithEvents(runtime, writes, events, PATIENT);
}

function writesOfMade({ entry, account, hash, owned }: Made): TransactWrite[] {
  const { username, cancelled_at } = account;
  const { condition, others } = writesOf(account, entry.draft, hash);
  const cancellation =
    cancelled_at &&
    storing(cancellationKey(username, cancelled_at), { cancelled_username: username, cancelled_at });
  return [condition, ...others, ...(cancellation ? [cancellation] : []), ...(owned ? [owned] : [])];
}
