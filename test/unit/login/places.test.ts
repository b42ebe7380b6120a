import bcryptjs from 'bcryptjs';
import { describe, expect, test, vi } from 'vitest';
import type { Attempt } from '#lib/item/login-attempts';
import { PER_ADDRESS, PER_PAIR } from '#lib/login/attempts';
import { put } from '#lib/table/write';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { NOON } from '../support/engine.ts';
import { attempts, HERE, INVALID, LISTS, type List, MINE, openLogin, WRONG, writes } from './bench.ts';

const { table, wire, operations, logIn, refused, user, given, storedAttempts } = await openLogin();

/** Runs a write of others to a list just before that of this attempt, once. */
const before = (list: List, write: () => Promise<unknown>) =>
  wire.before((_operation, input) => writes(list)(input), write);

describe.each<List>(['pair', 'address', 'name'])('the list of the %s', (list) => {
  test('holds the attempt in the end when others change it first', async () => {
    const ada = await user();
    const [other] = attempts(1) as [Attempt];
    before(list, () => put(table, LISTS[list](ada), { attempts: [other], revision: 1 }));
    await refused(ada, WRONG);
    const writes = operations().filter((each) => each === 'PutItem');
    expect(writes, 'no second one to the old list').toHaveLength({ pair: 14, address: 11, name: 8 }[list]);
    const expected = Object.keys(LISTS).map((each) => (each === list ? [other, MINE] : [MINE]));
    expect(await storedAttempts(ada)).toEqual(expected);
  });

  test('makes the attempt give up its other places when it cannot be written', async () => {
    const ada = await user();
    wire.script((_operation, input) => (writes(list)(input) ? DOWN : undefined));
    await expect(logIn(ada)).rejects.toMatchObject({ name: 'InternalServerError' });
    wire.reset();
    const expected = Object.keys(LISTS).map((each) => (each === list ? undefined : []));
    expect(await storedAttempts(ada)).toEqual(expected);
  });
});

test('an attempt holds no later place while it waits for an earlier one', async () => {
  const ada = await user();
  const others = attempts(PER_PAIR.max, { from: HERE, at: NOON, pending: true });
  before('pair', () => put(table, LISTS.pair(ada), { attempts: others, revision: 1 }));
  const outcome = logIn(ada);
  await expect.poll(() => operations().filter((each) => each === 'GetItem').length).toBeGreaterThan(1);
  expect(await storedAttempts(ada)).toEqual([others, [], []]);
  await put(table, LISTS.pair(ada), { attempts: [], revision: 2 });
  expect((await outcome).id).toBe(ada.id);
});

test('an attempt gives up its places when others exhaust the address after its read', async () => {
  const ada = await user();
  const failed = attempts(PER_ADDRESS.max, { from: HERE });
  await given(ada, { address: { attempts: failed.slice(1) } });
  before('address', () => put(table, LISTS.address(), { attempts: failed, revision: 2 }));
  await expect(logIn(ada)).rejects.toMatchObject({ code: 'too_many_requests' });
  wire.reset();
  expect(await storedAttempts(ada)).toEqual([[], failed, []]);
});

test('the limit of the pair holds for parallel attempts, and no more passwords are compared', async () => {
  const { max } = PER_PAIR;
  const compare = vi.spyOn(bcryptjs, 'compare').mockResolvedValue(false as never);
  const ada = await user();
  // Attempts that wait read the list once, when the others have ended: their number does not depend on the load.
  const { promise: othersEnded, resolve: end } = Promise.withResolvers<undefined>();
  wire.script((operation) => (operation === 'GetItem' ? othersEnded : undefined));
  let ended = 0;
  const codes = await Promise.all(
    Array.from({ length: 2 * max }, () =>
      logIn(ada, WRONG).catch(({ code }) => {
        ended += 1;
        if (ended === max) end(undefined);
        return code as string;
      }),
    ),
  );
  expect(compare).toHaveBeenCalledTimes(max);
  const refusals = [...Array(max).fill(INVALID.code), ...Array(max).fill('too_many_requests')];
  expect(codes.sort()).toEqual(refusals);
  expect(operations().filter((each) => each === 'GetItem').length).toBeLessThanOrEqual(max);
  expect((await storedAttempts(ada)).map((all) => all?.map(({ pending }) => pending))).toEqual(
    Array(3).fill(Array(max).fill(undefined)),
  );
  compare.mockRestore();
});
