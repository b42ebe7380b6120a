import { setTimeout as sleep } from 'node:timers/promises';
import bcryptjs from 'bcryptjs';
import { expect, test, vi } from 'vitest';
import type { Account } from '#lib/item/account';
import type { Attempt } from '#lib/item/login-attempts';
import { attemptsFromAddressKey, attemptsOfPairKey, attemptsOnNameKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put } from '#lib/table/write';
import { DOWN, roundTrips } from '../../wire/dynamodb-proxy.ts';
import { NOON } from '../support/engine.ts';
import { attempts, HERE, INVALID, openLogin, PATIENT } from './bench.ts';

const { table, wire, operations, logIn, refused, user } = await openLogin();
const MINE = { id: expect.any(String), at: NOON, from: HERE };

/** Whether a command writes this one of the lists. */
const isOf = (SK: string) => (input: Readonly<Record<string, unknown>>) =>
  (input['Item'] as { SK?: { S?: string } } | undefined)?.SK?.S === SK;
const LISTS = { pair: `FROM#${HERE}`, address: 'ADDRESS', name: 'NAME' };
const keyOf = {
  pair: attemptsOfPairKey,
  address: () => attemptsFromAddressKey(HERE),
  name: attemptsOnNameKey,
};
type List = keyof typeof LISTS;
/** What others write to a list the moment before this attempt does, once. */
const before = (list: List, write: () => Promise<unknown>) => {
  let done = false;
  wire.script(async (_operation, input) => {
    if (done || !isOf(LISTS[list])(input)) return undefined;
    done = true;
    await write();
    return undefined;
  });
};
const stored = (of: Account) =>
  Promise.all(Object.values(keyOf).map(async (key) => (await get(table, key(of.username, HERE)))?.attempts));

test('the places of an attempt are taken side by side', async () => {
  // The first attempt of all notes what a password costs.
  await refused({ username: 'nobody' });
  const ada = await user();
  wire.script(async () => {
    await sleep(20);
    return undefined;
  });
  await refused(ada, 'wrong password');
  expect(roundTrips(wire.commands), 'the read, the places, their outcome').toBe(3);
  expect(operations()).toEqual(['BatchGetItem', ...Array(6).fill('PutItem')]);
});

test.each<List>(['pair', 'address', 'name'])(
  'the places of an attempt are all taken in the end, though others change the list of the %s first',
  async (list) => {
    const ada = await user();
    const [other] = attempts(1) as [Attempt];
    before(list, () => put(table, keyOf[list](ada.username, HERE), { attempts: [other], revision: 1 }));
    await refused(ada, 'wrong password');
    const expected = Object.keys(LISTS).map((each) => (each === list ? [other, MINE] : [MINE]));
    expect(await stored(ada)).toEqual(expected);
  },
);

test('places that come later are held by none who waits for an earlier one', async () => {
  const ada = await user();
  const others = attempts(5, { from: HERE, at: NOON, pending: true });
  before('pair', () => put(table, keyOf.pair(ada.username, HERE), { attempts: others, revision: 1 }));
  const outcome = logIn(ada);
  await vi.waitUntil(() => operations().filter((each) => each === 'GetItem').length > 1, PATIENT);
  expect(await stored(ada)).toEqual([others, [], []]);
  await put(table, keyOf.pair(ada.username, HERE), { attempts: [], revision: 2 });
  expect((await outcome).id).toBe(ada.id);
});

test.each<List>(['pair', 'address', 'name'])(
  'the places of an attempt are given up where that in the list of the %s cannot be written',
  async (list) => {
    const ada = await user();
    wire.script((_operation, input) => (isOf(LISTS[list])(input) ? DOWN : undefined));
    await expect(logIn(ada)).rejects.toMatchObject({ name: 'InternalServerError' });
    wire.reset();
    const expected = Object.keys(LISTS).map((each) => (each === list ? undefined : []));
    expect(await stored(ada)).toEqual(expected);
  },
);

test('the places of an attempt are no more than 5 for 20 guesses at the same moment: no more are looked at', async () => {
  const compare = vi.spyOn(bcryptjs, 'compare').mockResolvedValue(false as never);
  const ada = await user();
  const codes = await Promise.all(
    Array.from({ length: 20 }, () => logIn(ada, 'wrong password').catch(({ code }) => code as string)),
  );
  expect(compare).toHaveBeenCalledTimes(5);
  expect(codes.sort()).toEqual([...Array(5).fill(INVALID.code), ...Array(15).fill('too_many_requests')]);
  expect((await stored(ada)).map((all) => all?.map(({ pending }) => pending))).toEqual(
    Array(3).fill(Array(5).fill(undefined)),
  );
  compare.mockRestore();
});
