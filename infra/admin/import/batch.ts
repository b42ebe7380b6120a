import { readAccounts } from '#lib/account/account';
import { accountOf, writesOf } from '#lib/account/create';
import { lockedOn } from '#lib/account/lock-terms';
import { membershipDetails } from '#lib/account/memberships';
import { userCreate } from '#lib/event/user-events';
import { type Account, FOREVER } from '#lib/item/account';
import { announce, changeBy } from '#lib/outbox/announcement';
import { commitWithEvents } from '#lib/outbox/commit';
import type { NewPassword } from '#lib/password/hash';
import { PATIENT } from '#lib/retry';
import { countIn } from '#lib/stats/counters';
import { countLockout } from '#lib/stats/slices';
import { patiently } from '#lib/table/bulk';
import { cancellationKey } from '#lib/table/keys';
import type { TransactWrite } from '#lib/table/write';
import type { Recorded } from '../recording.ts';
import type { Entry } from './entry.ts';

export interface Writer extends Pick<Recorded, 'runtime' | 'actor' | 'record'> {
  readonly hash: (password: NewPassword) => Promise<string>;
}

/**
 * Writes of a transaction without its counters (all accounts, locked accounts, a lock with an end). DynamoDB allows 100;
 * with half of them the embedded engine is as fast, and other requests wait half as long for it.
 */
const MAX_WRITES = 50 - 2;
/** A transaction has 4 MB at most; sizes are estimates. */
const MAX_BYTES = 1_500_000;
/** A batch waits for its hashes; a batch that is cut off loses them. */
const MAX_PASSWORDS = 8;

function sizeOf({ draft, memberships, isactive, lockoutend }: Entry, hasEvent: boolean) {
  const { password, password_hash, user_properties, roles, apps } = draft;
  const given = [password ?? password_hash, user_properties].filter((it) => it !== undefined).length;
  const properties = user_properties ? Buffer.byteLength(JSON.stringify(user_properties)) : 0;
  return {
    // The counter of a lock with an end may be that of another account: such an account is alone.
    writes: lockoutend ? MAX_WRITES : 1 + given + Number(!isactive) + Number(hasEvent),
    bytes: 2 * (2000 + 64 * (roles.length + apps.length) + 400 * memberships.length) + properties,
    passwords: Number(password !== undefined),
  };
}

/** The accounts in as few transactions as possible, in their order. */
export function batchesOf(entries: readonly Entry[], hasEvent: boolean): Entry[][] {
  const batches: Entry[][] = [];
  let [writes, bytes, passwords] = [0, 0, 0];
  for (const entry of entries) {
    const size = sizeOf(entry, hasEvent);
    writes += size.writes;
    bytes += size.bytes;
    passwords += size.passwords;
    const isFull = writes > MAX_WRITES || bytes > MAX_BYTES || passwords > MAX_PASSWORDS;
    if (isFull || batches.length === 0) {
      batches.push([]);
      ({ writes, bytes, passwords } = size);
    }
    batches.at(-1)?.push(entry);
  }
  return batches;
}

/** Attempts while others create the same accounts at the same moment. */
const ATTEMPTS = 20;

/** Creates accounts of one shard in one transaction. If it `looks`, it reads first which exist. */
export async function writeBatch(writer: Writer, entries: readonly Entry[], looks: boolean) {
  const found = (of: readonly Entry[]) => {
    const usernames = of.map(({ draft }) => draft.username);
    return patiently(() => readAccounts(writer.runtime.table, usernames));
  };
  let left = entries;
  if (looks) {
    const accounts = await found(left);
    left = left.filter((_, index) => accounts[index] === undefined);
  }
  const hashes = await Promise.all(
    left.map(async ({ draft: { password, password_hash } }) =>
      password === undefined ? password_hash : writer.hash(password),
    ),
  );
  let made = makeAccounts(writer, left, hashes);
  for (let attempt = 0; made.length > 0; attempt++) {
    if (!(await patiently(() => commit(writer, made)))) break;
    if (attempt === ATTEMPTS) throw new Error('Another process creates the same accounts at the same time');
    const accounts = await found(made.map(({ entry }) => entry));
    // The answer of a transaction was lost, and the SDK sent it again: all of its accounts exist.
    if (made.some(({ account }, index) => accounts[index]?.id === account.id)) break;
    made = made.filter((_, index) => accounts[index] === undefined);
  }
  if (made.length > 0)
    await writer.record(
      made.map(({ account: it }) => ({ target: it.username, details: membershipDetails(it) })),
    );
  return { created: made.length, existing: entries.length - made.length };
}

interface Made {
  readonly entry: Entry;
  readonly account: Account;
  readonly hash: string | undefined;
  readonly change: ReturnType<typeof changeBy>;
}

function makeAccounts(
  { runtime, actor }: Writer,
  entries: readonly Entry[],
  hashes: readonly (string | undefined)[],
) {
  const at = runtime.now();
  return entries.map((entry, index): Made => {
    const { draft, memberships, isactive, islocked, lockoutend: until, lock_reason: reason } = entry;
    const cancelled = { isactive, cancelled_at: new Date(at).toISOString(), cancelled_by: actor.by };
    const account = {
      ...accountOf(runtime, draft, memberships, at),
      ...(isactive ? {} : cancelled),
      ...(islocked ? lockedOn({ until, reason }) : {}),
    };
    return { entry, account, hash: hashes[index], change: { ...changeBy(runtime, actor), at } };
  });
}

/** @returns the condition that failed, if any: one of the accounts exists */
async function commit({ runtime }: Writer, made: readonly Made[]) {
  const { username } = (made[0] as Made).account;
  const locked = made.filter(({ account }) => account.lockoutend === FOREVER).length;
  const ends = made.flatMap(({ account: { username, lockoutend: end = FOREVER } }) =>
    end === FOREVER ? [] : countLockout(runtime.table, username, Date.parse(end), runtime.now()),
  );
  const writes = [
    ...made.flatMap(writesOfMade),
    countIn('COUNT', username, made.length),
    ...(locked > 0 ? [countIn('LOCKED', username, locked)] : []),
    ...(await Promise.all(ends)),
  ];
  const announced = made.flatMap(({ account, change }) => {
    const announcement = announce(runtime, userCreate, change, undefined);
    return announcement ? [{ announcement, account }] : [];
  });
  return commitWithEvents(runtime.table, writes, announced, PATIENT);
}

function writesOfMade({ entry, account, hash }: Made): TransactWrite[] {
  const { username, cancelled_at } = account;
  const { condition, others } = writesOf(account, entry.draft, hash);
  const cancellation = cancelled_at && { ...cancellationKey(username, cancelled_at), username, cancelled_at };
  return [condition, ...others, ...(cancellation ? [{ Put: { Item: cancellation } }] : [])];
}
