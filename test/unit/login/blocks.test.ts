import bcrypt from 'bcryptjs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCode } from '#lib/account/create-code';
import type { Account } from '#lib/item/account';
import { PER_ADDRESS } from '#lib/login/attempts';
import { blockAddress, blocksInEffect, unblockAddress } from '#lib/login/blocks';
import { changePassword } from '#lib/login/change-password';
import {
  attemptsFromAddressKey,
  blockKey,
  codeAttemptsFromAddressKey,
  passkeyAttemptsFromAddressKey,
} from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put, remove } from '#lib/table/write';
import { DAY_MS } from '#lib/time';
import { by, NOON } from '../support/engine.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import { publishKey } from '../support/signing-keys.ts';
import { attempts, HERE, INVALID, MINUTE, openLogin, WRONG, writes } from './bench.ts';

const bench = await openLogin();
const { table, wire, clock, runtime, user, given, logIn, refused, operations } = bench;

const OPERATOR = by('operator:support');
const END = NOON + DAY_MS;
const LISTS_OF_ADDRESS = [
  attemptsFromAddressKey,
  codeAttemptsFromAddressKey,
  passkeyAttemptsFromAddressKey,
].map((keyOf) => keyOf(HERE));

beforeEach(async () => {
  for (const key of [...LISTS_OF_ADDRESS, blockKey(HERE)]) await remove(table, key);
});
afterEach(() => vi.restoreAllMocks());

const block = (until = END, address = HERE) => blockAddress(runtime, address, until, OPERATOR);
const blockedFor = (seconds: number) => ({
  code: 'too_many_requests',
  retryAfter: seconds,
  cause: 'address_blocked',
  limit: undefined,
});

const key = await publishKey(table);
const setBy = (it: Account, code: string) => {
  const request = { username: it.username, code, new_password: 'battery staple' };
  const on = { ...runtime, signingKey: async () => key };
  return changePassword(on, undefined, undefined, request, gatewayEvent({ sourceIp: HERE }));
};

test('a right password and a right code from a blocked address are refused until its end, by one read and no comparison', async () => {
  const ada = await user();
  const { code } = await createCode(runtime, ada, by('admin'), {}, {});
  await block();
  const compare = vi.spyOn(bcrypt, 'compare');
  for (const attempt of [() => logIn(ada), () => setBy(ada, code)]) {
    wire.reset();
    await expect(attempt()).rejects.toMatchObject({ ...blockedFor(DAY_MS / 1000), about: ada.username });
    expect(operations()).toEqual(['BatchGetItem']);
  }
  expect(compare).not.toHaveBeenCalled();
  clock.time = END - 1;
  await expect(logIn(ada)).rejects.toMatchObject(blockedFor(1));
  clock.time = END;
  expect((await logIn(ada)).id).toBe(ada.id);
});

test('a username that is known from a blocked address is refused, and so is one without an account', async () => {
  const ada = await user();
  await logIn(ada);
  await block();
  await expect(logIn(ada)).rejects.toMatchObject(blockedFor(86_400));
  await expect(logIn({ username: 'nobody' })).rejects.toMatchObject(blockedFor(86_400));
});

test('an attempt that is written after a block keeps it, and one that comes too late is refused', async () => {
  const ada = await user();
  // A list of an earlier version, with a failure.
  await given(ada, { address: { attempts: attempts(1, { from: HERE }) } });
  wire.before(
    (_operation, input) => writes('address')(input),
    () => block(NOON + MINUTE),
  );
  await expect(logIn(ada, WRONG)).rejects.toMatchObject(blockedFor(60));
  // A place that was reserved before the block is settled after it.
  const eve = await user();
  clock.time = NOON + MINUTE;
  const compare = vi.spyOn(bcrypt, 'compare').mockImplementation(async () => {
    await block(NOON + 2 * MINUTE);
    return false;
  });
  await refused(eve, WRONG);
  expect(compare).toHaveBeenCalledTimes(1);
  await expect(logIn(eve)).rejects.toMatchObject(blockedFor(60));
});

test('a block outlives the attempts of its address, and they outlive a short block', async () => {
  const ttlOf = async () =>
    (await Promise.all(LISTS_OF_ADDRESS.map((one) => get(table, one)))).map((it) => it?.ttl);
  await block();
  expect(await ttlOf()).toEqual(Array(3).fill(END / 1000));
  clock.time = END;
  await refused(await user(), WRONG);
  await block(clock.time + MINUTE);
  expect(await ttlOf()).toEqual(Array(3).fill((END + PER_ADDRESS.windowMs) / 1000));
  await block(clock.time + DAY_MS);
  clock.time += DAY_MS - MINUTE;
  const ada = await user();
  await unblockAddress(runtime, HERE);
  await refused(ada, WRONG);
  expect((await ttlOf())[0]).toBe((clock.time + PER_ADDRESS.windowMs) / 1000);
});

test('a block that is repeated has the later or the earlier end, and unblockAddress ends it at once', async () => {
  const ada = await user();
  await block();
  await block(NOON + MINUTE);
  await expect(logIn(ada)).rejects.toMatchObject(blockedFor(60));
  clock.time = NOON + 1000;
  expect(await unblockAddress(runtime, HERE)).toBe(true);
  // The clock of the operator may be ahead of that of a function.
  clock.time = NOON;
  expect((await logIn(ada)).id).toBe(ada.id);
  expect(await unblockAddress(runtime, HERE), 'no longer blocked').toBe(false);
  expect(await unblockAddress(runtime, '192.0.2.99'), 'never blocked').toBe(false);
});

test('unblockAddress keeps the failures of the address', async () => {
  const ada = await user();
  const full = attempts(PER_ADDRESS.max, { from: HERE });
  await put(table, attemptsFromAddressKey(HERE), { attempts: full, revision: 1 });
  await block();
  await unblockAddress(runtime, HERE);
  await expect(logIn(ada)).rejects.toMatchObject({ limit: { name: PER_ADDRESS.name } });
});

test('blocksInEffect lists blocks by their address, with whose and until when, in one query', async () => {
  const network = '2001:db8:0:1::/64';
  await block();
  await block(NOON + MINUTE, network);
  await block(NOON + MINUTE, '192.0.2.250');
  await unblockAddress(runtime, '192.0.2.250');
  wire.reset();
  const common = { blocked_at: '2026-11-20T12:00:00.000Z', blocked_by: OPERATOR.by };
  const here = { address: HERE, blocked_until: '2026-11-21T12:00:00.000Z', ...common };
  expect(await blocksInEffect(runtime)).toEqual([
    here,
    { address: network, blocked_until: '2026-11-20T12:01:00.000Z', ...common },
  ]);
  expect(operations()).toEqual(['Query']);
  clock.time = NOON + MINUTE;
  expect(await blocksInEffect(runtime)).toEqual([here]);
});

test('attempts of a blocked address do not reach another one', async () => {
  const ada = await user();
  await block(END, '192.0.2.2');
  expect((await logIn(ada)).id).toBe(ada.id);
  await expect(logIn(ada, WRONG)).rejects.toMatchObject(INVALID);
});
