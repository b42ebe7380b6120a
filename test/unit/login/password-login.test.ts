import bcryptjs, { hash as bcrypt } from 'bcryptjs';
import { describe, expect, test, vi } from 'vitest';
import { type Account, FOREVER } from '#lib/item/account';
import { verifyPasswordOf } from '#lib/login/password-login';
import {
  accountKey,
  attemptsFromAddressKey,
  attemptsOnNameKey,
  passwordKey,
  sliceKey,
} from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put, remove } from '#lib/table/write';
import { DAY_MS, dateOf, withOffset, withoutZone } from '#lib/time';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { NOON } from '../support/engine.ts';
import { attempts, HERE, openLogin, PASSWORD, PATIENT } from './bench.ts';

const {
  table,
  wire,
  clock,
  runtime,
  account,
  operations,
  logIn,
  refused,
  user,
  onName,
  ofPair,
  fromHere,
  endOf,
  failedOnName,
  failedFromHere,
} = await openLogin();
const MINUTE = 60_000;

const MINE = { id: expect.any(String), at: NOON, from: HERE };
const writesTo = (need: string) => wire.commands.filter(({ needs }) => needs.includes(need)).length;

describe('the right password', () => {
  test.each([
    ['', (username: string) => username],
    [' in another case', (username: string) => username.toUpperCase()],
  ])('under the username%s is its account, and leaves no attempt behind', async (_case, spelled) => {
    const ada = await user();
    expect(await logIn({ username: spelled(ada.username) })).toMatchObject(ada);
    for (const item of [await onName(ada), await ofPair(ada), await fromHere()])
      expect(item?.attempts).toEqual([]);
  });

  test('makes its address known', async () => {
    const ada = await user();
    await logIn(ada);
    expect((await ofPair(ada))?.known_at).toBe(NOON);
  });

  test('clears the failures of its name from its address, and those from others count on', async () => {
    const ada = await user();
    const others = attempts(3);
    await failedOnName(ada, [...others, ...attempts(4, { from: HERE })]);
    await failedFromHere(ada, 4);
    await logIn(ada);
    expect([(await onName(ada))?.attempts, (await ofPair(ada))?.attempts]).toEqual([others, []]);
  });

  test('clears no failure of other names from its address', async () => {
    const failed = attempts(49, { from: HERE });
    await put(table, attemptsFromAddressKey(HERE), { attempts: failed, revision: 1 });
    await logIn(await user());
    expect((await fromHere())?.attempts).toEqual(failed);
  });

  test('is right although nothing but the reservations can be written', async () => {
    const ada = await user({ lastActivity: withoutZone(NOON - DAY_MS) });
    await put(table, passwordKey(ada.username), { hash: await bcrypt(PASSWORD, 4) });
    wire.reset();
    let writes = 0;
    wire.script((operation) => {
      if (!/Put|Update|Transact/.test(operation)) return undefined;
      writes += 1;
      return writes > 3 ? DOWN : undefined;
    });
    expect((await logIn(ada)).id).toBe(ada.id);
    expect(writes).toBeGreaterThan(6);
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
    const countToday = async () =>
      (await get(table, sliceKey(ada.username)))?.[`active:${dateOf(NOON)}`] ?? 0;
    const before = await countToday();
    await logIn(ada);
    await expect.poll(countToday, PATIENT).toBe(before + 1);
  });
});

describe('a login is refused, and its attempt counts for the pair, the address and the name', () => {
  const counted = async (of: { username: string }) => {
    for (const item of [await ofPair(of), await fromHere(), await onName(of)])
      expect(item?.attempts).toEqual([MINE]);
  };

  test('with a wrong password', async () => {
    const ada = await user();
    await refused(ada, 'wrong password');
    await counted(ada);
    expect(await endOf(ada)).toBeUndefined();
  });

  test.each<[string, Partial<Account>]>([
    ['is cancelled', { isactive: false }],
    ['is locked for good', { lockoutend: FOREVER }],
    ['is locked for a time', { lockoutend: withOffset(NOON + 1) }],
  ])('with the right password where the account %s', async (_name, part) => {
    const ada = await user(part);
    await refused(ada);
    await counted(ada);
    expect(await endOf(ada)).toBe(part.lockoutend);
  });

  test.each(['', PASSWORD])('where there is no password to compare "%s" with', async (password) => {
    const ada = await account();
    await refused(ada, password);
    await counted(ada);
  });

  test('where there is no account', async () => {
    const nobody = { username: 'nobody' };
    await refused(nobody);
    await counted(nobody);
  });

  test('under a name that no account can have, without asking for one', async () => {
    const impossible = { username: 'no such\u0000user' };
    wire.reset();
    await refused(impossible);
    expect(wire.commands[0]?.needs).not.toContain('table:BatchGetItem:ACCOUNT');
    await counted(impossible);
  });

  test('though its outcome cannot be written: the places stay taken', async () => {
    const ada = await user();
    let writes = 0;
    wire.script((operation) => (operation === 'PutItem' && ++writes > 3 ? DOWN : undefined));
    await refused(ada, 'wrong password');
    wire.reset();
    expect((await ofPair(ada))?.attempts).toEqual([{ ...MINE, pending: true }]);
  });
});

describe('whether there is such an account', () => {
  const OPERATIONS = ['BatchGetItem', ...Array(6).fill('PutItem')];

  test('nobody learns from how often is read and written, whatever the reason of the refusal', async () => {
    for (const each of [
      await user(),
      await user({ isactive: false }),
      await user({ lockoutend: withOffset(NOON + 1) }),
      { username: 'nobody-else' },
      { username: ' ' },
    ]) {
      wire.reset();
      await refused(each, 'wrong password');
      expect(operations()).toEqual(OPERATIONS);
    }
  });

  test('nobody learns from what is written while the name is locked out, and no lockout is begun twice', async () => {
    for (const each of [
      await user({ lockoutend: withOffset(NOON + 1) }),
      await user({ lockoutenabled: false }),
      await user({ isactive: false }),
      { username: 'nobody-at-all' },
    ]) {
      await put(table, attemptsOnNameKey(each.username), { attempts: [], revision: 1, locked_at: NOON });
      wire.reset();
      await refused(each, 'wrong password');
      // The list of the name has no room to reserve.
      expect(operations()).toEqual(['BatchGetItem', ...Array(4).fill('PutItem')]);
    }
  });

  test('a name that is locked out without its account, as after an outage, has it locked by the next attempt', async () => {
    const ada = await user();
    await put(table, attemptsOnNameKey(ada.username), { attempts: [], revision: 1, locked_at: NOON });
    await refused(ada, 'wrong password');
    expect(await endOf(ada)).toBe(withOffset(NOON + 15 * MINUTE));
  });

  test('nobody learns from 60 attempts from 10 addresses', async () => {
    // The answers depend on the lists, not on how long a hash takes.
    const compare = vi.spyOn(bcryptjs, 'compare').mockResolvedValue(false as never);
    const answers = async (username: string) => {
      const codes: string[] = [];
      for (let n = 0; n < 60; n++) {
        clock.time = NOON + n;
        const attempt = verifyPasswordOf(runtime, username, 'wrong password', `198.51.100.${n % 10}`);
        codes.push(
          await attempt.then(
            () => 'in',
            ({ code, retryAfter }) => `${code} ${retryAfter}`,
          ),
        );
      }
      return codes;
    };
    const addresses = Array.from({ length: 10 }, (_, n) => attemptsFromAddressKey(`198.51.100.${n}`));
    const ada = await user();
    const ofKnown = await answers(ada.username);
    expect(await endOf(ada)).toBeDefined();
    for (const key of addresses) await remove(table, key);
    expect(await answers('nobody-knows')).toEqual(ofKnown);
    expect(ofKnown.filter((code) => code.startsWith('invalid'))).toHaveLength(50);
    expect(ofKnown.slice(50).every((code) => code.startsWith('too_many_requests'))).toBe(true);
    compare.mockRestore();
  });
});
