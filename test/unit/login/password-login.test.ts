import { hash as bcrypt } from 'bcryptjs';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Account, FOREVER } from '#lib/item/account';
import type { Attempt } from '#lib/item/login-attempts';
import { verifyPasswordOf } from '#lib/login/password-login';
import { accountKey, attemptsFromKey, attemptsKey, counterKey, passwordKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put } from '#lib/table/write';
import { DAY_MS, dateOf, withOffset, withoutZone } from '#lib/time';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { NOON, openTestTable } from '../engine.ts';

const { table, wire, clock, runtime, account, operations } = await openTestTable();
const MINUTE = 60_000;
const HERE = '192.0.2.1';
/** For a machine that is busy. */
const PATIENT = { timeout: 60_000 };
const PASSWORD = 'correct horse';

let hash: string;
beforeAll(async () => {
  hash = await bcrypt(PASSWORD, 10);
});

/** An account with a password, and whatever else is told of it. */
async function user(part: Partial<Account> = {}): Promise<Account> {
  const item = { ...(await account()), ...part };
  await put(table, accountKey(item.username), item);
  await put(table, passwordKey(item.username), { hash });
  wire.reset();
  return item;
}

const logIn = ({ username }: { username: string }, password = PASSWORD) =>
  verifyPasswordOf(runtime, username, password, HERE);
const invalid = { code: 'invalid_credentials' };
const refused = (of: { username: string }, password?: string) =>
  expect(logIn(of, password)).rejects.toMatchObject(invalid);

const attemptsOf = async ({ username }: { username: string }) =>
  (await get(table, attemptsKey(username)))?.attempts;
const attemptsFrom = async ({ username }: { username: string }, address = HERE) =>
  (await get(table, attemptsFromKey(username, address)))?.attempts;
const endOf = async ({ username }: Account) => (await get(table, accountKey(username)))?.lockoutend;

const attempts = (n: number, each: Partial<Attempt> = {}): Attempt[] =>
  Array.from({ length: n }, (_, at) => ({ id: `${at}`, at: NOON - 1000, from: `10.0.0.${at}`, ...each }));
const given = async ({ username }: Account, all: readonly Attempt[]) => {
  await put(table, attemptsKey(username), { attempts: all, revision: 1 });
  wire.reset();
};

const MINE = { id: expect.any(String), at: NOON, from: HERE };
const writesTo = (need: string) => wire.commands.filter(({ needs }) => needs.includes(need)).length;

describe('the right password', () => {
  test('is its account, and leaves no attempt behind', async () => {
    const ada = await user();
    expect(await logIn(ada)).toMatchObject(ada);
    expect(await attemptsOf(ada)).toEqual([]);
  });

  test('is right under the username in another case', async () => {
    const ada = await user();
    expect(await logIn({ username: ada.username.toUpperCase() })).toMatchObject(ada);
    expect(await attemptsOf(ada)).toEqual([]);
  });

  test('clears the failures from its address, and those from others count on', async () => {
    const ada = await user();
    const others = attempts(3);
    await given(ada, [...others, ...attempts(4, { from: HERE })]);
    await logIn(ada);
    expect(await attemptsOf(ada)).toEqual(others);
  });

  test('is right although nothing but the reservation can be written', async () => {
    const ada = await user({ lastActivity: withoutZone(NOON - DAY_MS) });
    await put(table, passwordKey(ada.username), { hash: await bcrypt(PASSWORD, 4) });
    wire.reset();
    let writes = 0;
    wire.script((operation) => {
      if (!/Put|Update|Transact/.test(operation)) return undefined;
      writes += 1;
      return writes > 1 ? DOWN : undefined;
    });
    expect((await logIn(ada)).id).toBe(ada.id);
    expect(writes).toBeGreaterThan(3);
  });

  test('counts as activity a minute after the last', async () => {
    const ada = await user({ lastActivity: withoutZone(NOON - MINUTE) });
    await logIn(ada);
    await expect
      .poll(async () => (await get(table, accountKey(ada.username)))?.lastActivity, PATIENT)
      .toBe(withoutZone(NOON));
  });

  test('writes no activity less than a minute after the last', async () => {
    const ada = await user({ lastActivity: withoutZone(NOON - MINUTE + 1) });
    await logIn(ada);
    expect(writesTo('table:UpdateItem:ACCOUNT')).toBe(0);
  });

  test('counts the account as active on the first login of a day', async () => {
    const ada = await user({ lastActivity: withoutZone(NOON - DAY_MS) });
    const today = counterKey(`DAY#${dateOf(NOON)}`, ada.username);
    const before = (await get(table, today))?.n ?? 0;
    await logIn(ada);
    await expect.poll(async () => (await get(table, today))?.n, PATIENT).toBe(before + 1);
  });
});

describe('a login is refused, and its attempt counts', () => {
  test('with a wrong password: for the account', async () => {
    const ada = await user();
    await refused(ada, 'wrong password');
    expect(await attemptsOf(ada)).toEqual([MINE]);
    expect(await attemptsFrom(ada)).toBeUndefined();
    expect(await endOf(ada)).toBeUndefined();
  });

  test.each<[string, Partial<Account>]>([
    ['is cancelled', { isactive: false }],
    ['is locked for good', { lockoutend: FOREVER }],
    ['is locked for a time', { lockoutend: withOffset(NOON + 1) }],
  ])('with the right password where the account %s: for the address', async (_name, part) => {
    const ada = await user(part);
    await refused(ada);
    expect(await attemptsOf(ada)).toBeUndefined();
    expect(await attemptsFrom(ada)).toEqual([MINE]);
    expect(await endOf(ada)).toBe(part.lockoutend);
  });

  test('where there is no password: for the account', async () => {
    const ada = await account();
    for (const password of ['', PASSWORD]) await refused(ada, password);
    expect(await attemptsOf(ada)).toEqual([MINE, MINE]);
  });

  test('where there is no account: for the address', async () => {
    const nobody = { username: 'nobody' };
    await refused(nobody);
    expect(await attemptsOf(nobody)).toBeUndefined();
    expect(await attemptsFrom(nobody)).toEqual([MINE]);
  });

  test('under a name that no account can have, without asking for one', async () => {
    const impossible = { username: 'no such\u0000user' };
    await refused(impossible);
    expect(wire.commands[0]?.needs).toEqual(['table:BatchGetItem:ATTEMPTS', 'table:BatchGetItem:ATTEMPTS']);
    expect(await attemptsFrom(impossible)).toEqual([MINE]);
  });

  test('and reads and writes as often, whatever the reason', async () => {
    const names = [
      await user(),
      await user({ isactive: false }),
      { username: 'nobody-else' },
      { username: ' ' },
    ];
    for (const each of names) {
      wire.reset();
      await refused(each, 'wrong password');
      expect(operations()).toEqual(['BatchGetItem', 'PutItem', 'PutItem']);
    }
  });

  test('though its outcome cannot be written: the place stays taken', async () => {
    const ada = await user();
    let writes = 0;
    wire.script((operation) => {
      if (operation !== 'PutItem') return undefined;
      writes += 1;
      return writes > 1 ? DOWN : undefined;
    });
    await refused(ada, 'wrong password');
    wire.reset();
    expect(await attemptsOf(ada)).toEqual([{ ...MINE, pending: true }]);
  });
});

describe('five failures from an address', () => {
  test('refuse the right password unread, and no attempt more counts', async () => {
    const ada = await user();
    const failures = attempts(5, { from: HERE });
    await given(ada, failures);
    await expect(logIn(ada)).rejects.toMatchObject({ code: 'too_many_requests', retryAfter: 299 });
    expect(operations()).toEqual(['BatchGetItem']);
    expect(await attemptsOf(ada)).toEqual(failures);
  });

  test('do not concern other addresses', async () => {
    const ada = await user();
    await given(ada, attempts(5, { from: '198.51.100.1' }));
    expect((await logIn(ada)).id).toBe(ada.id);
  });

  test('are forgotten once failures were cleared', async () => {
    const ada = await user({ failures_cleared_at: NOON - 1000 });
    await given(ada, attempts(5, { from: HERE }));
    expect((await logIn(ada)).id).toBe(ada.id);
  });

  test('count for a name without an account too', async () => {
    const username = 'nobody-at-all';
    await put(table, attemptsFromKey(username, HERE), { attempts: attempts(5, { from: HERE }), revision: 1 });
    await expect(logIn({ username })).rejects.toMatchObject({ code: 'too_many_requests' });
  });
});

describe('fifty failures of an account', () => {
  const END = withOffset(NOON + 15 * MINUTE);

  test.each([
    [48, undefined],
    [49, END],
  ])('lock its password: after %i, one more until %s', async (failed, end) => {
    const ada = await user();
    await given(ada, attempts(failed));
    await refused(ada, 'wrong password');
    expect(await endOf(ada)).toBe(end);
  });

  test('let nobody in, though the lockout has not been written', async () => {
    const ada = await user();
    const failures = attempts(50);
    await given(ada, failures);
    await refused(ada);
    expect(await endOf(ada)).toBe(END);
    expect(await attemptsOf(ada)).toEqual(failures);
    expect(await attemptsFrom(ada)).toEqual([MINE]);
  });

  test('never lock an account that is exempt', async () => {
    const ada = await user({ lockoutenabled: false });
    await given(ada, attempts(50));
    await refused(ada, 'wrong password');
    expect(await endOf(ada)).toBeUndefined();
    expect((await logIn(ada)).id).toBe(ada.id);
    expect(await attemptsFrom(ada)).toEqual([]);
  });

  test('lock it no more once failures were cleared', async () => {
    const ada = await user({ failures_cleared_at: NOON - 1000 });
    await given(ada, attempts(50));
    await refused(ada, 'wrong password');
    expect(await endOf(ada)).toBeUndefined();
    expect(await attemptsOf(ada)).toEqual([MINE]);
  });

  test('do not lock it where an administrator has cleared them during the last', async () => {
    const ada = await user();
    await given(ada, attempts(50));
    await put(table, accountKey(ada.username), { ...ada, failures_cleared_at: NOON });
    wire.script((operation, input) =>
      operation === 'BatchGetItem'
        ? {
            input,
            answer: (body) =>
              JSON.parse(JSON.stringify(body).replaceAll('failures_cleared_at', 'not_yet')) as object,
          }
        : undefined,
    );
    await refused(ada);
    expect(await endOf(ada)).toBeUndefined();
  });

  test('count no longer than the lockout', async () => {
    const ada = await user();
    await given(ada, attempts(50));
    await refused(ada);
    clock.time = NOON + 15 * MINUTE - 1;
    await refused(ada);
    expect(await endOf(ada), 'what is tried meanwhile makes it no longer').toBe(END);
    clock.time = NOON + 15 * MINUTE;
    expect((await logIn(ada)).id).toBe(ada.id);
  });
});
