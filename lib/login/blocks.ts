import type { Actor } from '../event/event.ts';
import type { Runtime } from '../runtime.ts';
import * as keys from '../table/keys.ts';
import { query } from '../table/read.ts';
import { storing, type TransactWrite, transact } from '../table/write.ts';
import { DAY_MS, isoOf } from '../time.ts';
import { PER_ADDRESS } from './attempts.ts';

/** How long an address is blocked by default. */
export const BLOCK_MS = DAY_MS;

/** A block in effect. */
export interface BlockInEffect {
  /** An IPv4 address, or the /64 of an IPv6 address. */
  readonly address: string;
  /** ISO 8601, UTC, ends in Z. */
  readonly blocked_until: string;
  readonly blocked_at: string;
  readonly blocked_by: string;
}

/**
 * Refuses logins, one-time codes and assertions from an address until a time, or until another one if it is blocked. Each of
 * them reads an item of its address anyway, so all three have the block, and a list has it once more.
 *
 * @param address as `sourceNetwork` has it
 * @param until milliseconds since the epoch, in the future
 */
export async function blockAddress(
  { table, now }: Pick<Runtime, 'table' | 'now'>,
  address: string,
  until: number,
  { by }: Actor,
): Promise<void> {
  const block = { blocked_at: isoOf(now()), blocked_by: by, blocked_until: until, ttl: ttlOf(until) };
  await transact(table, [...endingAt(until, address, now()), storing(keys.blockKey(address), block)]);
}

/** Ends a block at once, whatever the clocks of operator and functions. @returns false if the address is not blocked */
export async function unblockAddress(
  { table, now }: Pick<Runtime, 'table' | 'now'>,
  address: string,
): Promise<boolean> {
  const time = now();
  const ended: TransactWrite = {
    Update: {
      Key: { ...keys.blockKey(address) },
      UpdateExpression: 'SET blocked_until = :none, #ttl = :ttl',
      ConditionExpression: 'blocked_until > :now',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':now': time, ':none': 0, ':ttl': ttlOf(time) },
    },
  };
  return !(await transact(table, [ended, ...endingAt(undefined, address, time)]));
}

/** The blocks in effect, by address. */
export async function blocksInEffect({
  table,
  now,
}: Pick<Runtime, 'table' | 'now'>): Promise<BlockInEffect[]> {
  const time = now();
  return (await query(table, keys.allBlocks))
    .filter(({ blocked_until }) => blocked_until > time)
    .map(({ SK: address, blocked_until, blocked_at, blocked_by }) => {
      return { address, blocked_until: isoOf(blocked_until), blocked_at, blocked_by };
    });
}

/** The writes of an end to the lists of an address. They name no attempts: whoever may block counts none. */
const endingAt = (until: number | undefined, address: string, now: number) =>
  [keys.attemptsFromAddressKey, keys.codeAttemptsFromAddressKey, keys.passkeyAttemptsFromAddressKey].map(
    (keyOf) =>
      storing(keyOf(address), {
        blocked_until: until,
        // The attempts of an address count as long after a block that is shorter.
        ttl: ttlOf(Math.max(until ?? 0, now + PER_ADDRESS.windowMs)),
      }),
  );

const ttlOf = (milliseconds: number) => Math.ceil(milliseconds / 1000);
