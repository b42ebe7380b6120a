import { isLockedForGood, readAccounts } from '#lib/account/account';
import { accountOf, writesOf } from '#lib/account/create';
import { userCreate } from '#lib/event/user-create';
import { type Account, FOREVER } from '#lib/item/account';
import { announce, changeBy } from '#lib/outbox/announcement';
import { commitWithEvents } from '#lib/outbox/commit';
import type { NewPassword } from '#lib/password/hash';
import { PATIENT } from '#lib/retry';
import { countIn } from '#lib/stats/counters';
import { patiently } from '#lib/table/bulk';
import { cancellationKey } from '#lib/table/keys';
import type { TransactWrite } from '#lib/table/write';
import type { Target } from '../target.ts';
import type { Entry } from './entry.ts';

/** What writes accounts: the instance, by whom, and how a password becomes a hash. */
export interface Writer extends Pick<Target, 'runtime' | 'actor'> {
  readonly hash: (password: NewPassword) => Promise<string>;
}

/** How many accounts of a batch are new, and how many were there. */
export interface Written {
  readonly created: number;
  readonly existing: number;
}

/**
 * Writes of a transaction besides those that count: all accounts, and those locked. It may have 100; with
 * half of them the embedded engine is as fast, and nobody else waits for it as long.
 */
const MAX_WRITES = 50 - 2;
/** Of 4 MB that a transaction may have, with room for what an estimate misses. */
const MAX_BYTES = 1_500_000;
/** A batch waits for its hashes; one that is cut off has made them in vain. */
const MAX_PASSWORDS = 8;

/** What entries take of a batch. */
export interface Size {
  readonly writes: number;
  readonly bytes: number;
  readonly passwords: number;
}

export const EMPTY: Size = { writes: 0, bytes: 0, passwords: 0 };

export function sizeWith(size: Size, { draft, memberships, isactive }: Entry, hasEvent: boolean): Size {
  const { password, user_properties, roles, apps } = draft;
  const given = [password, user_properties].filter((it) => it !== undefined).length;
  const bytes = 2000 + 64 * (roles.length + apps.length) + 400 * memberships.length;
  return {
    writes: size.writes + 1 + given + Number(!isactive) + Number(hasEvent),
    bytes:
      size.bytes + bytes * 2 + (user_properties ? Buffer.byteLength(JSON.stringify(user_properties)) : 0),
    passwords: size.passwords + Number(password !== undefined),
  };
}

export const isTooLarge = ({ writes, bytes, passwords }: Size): boolean =>
  writes > MAX_WRITES || bytes > MAX_BYTES || passwords > MAX_PASSWORDS;

/** How often somebody else may make one of the accounts at the same moment. */
const ATTEMPTS = 20;

/**
 * Makes accounts of one shard in one transaction, with what counts them. Those that are there already are left alone.
 *
 * @param looks whether to look first which are there; a transaction that one of them is in the way of shows it, too
 */
export async function writeBatch(
  writer: Writer,
  entries: readonly Entry[],
  looks: boolean,
): Promise<Written> {
  const { table } = writer.runtime;
  const found = async (of: readonly Entry[]) =>
    patiently(() =>
      readAccounts(
        table,
        of.map(({ draft }) => draft.username),
      ),
    );
  let left = entries;
  if (looks) {
    const accounts = await found(left);
    left = left.filter((_, index) => accounts[index] === undefined);
  }
  const hashes = await Promise.all(
    left.map(async ({ draft: { password } }) => (password === undefined ? undefined : writer.hash(password))),
  );
  let made = makeAccounts(writer, left, hashes);
  for (let attempt = 0; made.length > 0; attempt++) {
    if (!(await patiently(() => commit(writer, made)))) break;
    if (attempt === ATTEMPTS) throw new Error('Somebody makes the same accounts at the same time');
    const accounts = await found(made.map(({ entry }) => entry));
    // The answer of a transaction was lost, and it was sent again: all of its accounts are there.
    if (made.some(({ account }, index) => accounts[index]?.id === account.id)) break;
    made = made.filter((_, index) => accounts[index] === undefined);
  }
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
    const { draft, memberships, isactive, islocked } = entry;
    const cancelled = { isactive, cancelled_at: new Date(at).toISOString(), cancelled_by: actor.by };
    const account = {
      ...accountOf(runtime, draft, memberships, at),
      ...(isactive ? {} : cancelled),
      ...(islocked ? { lockoutend: FOREVER } : {}),
    };
    return { entry, account, hash: hashes[index], change: { ...changeBy(runtime, actor), at } };
  });
}

/** @returns the condition that did not hold, if there is one: one of the accounts is there */
function commit({ runtime }: Writer, made: readonly Made[]) {
  const [
    {
      account: { username },
    },
  ] = made as [Made];
  const locked = made.filter(({ account }) => isLockedForGood(account)).length;
  const writes = [
    ...made.flatMap(writesOfMade),
    countIn('COUNT', username, made.length),
    ...(locked > 0 ? [countIn('LOCKED', username, locked)] : []),
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
