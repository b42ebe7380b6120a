import { describe, expect, test, vi } from 'vitest';
import { type Account, FOREVER } from '#lib/item/account';
import { attemptsFromAddressKey, attemptsOfPairKey, attemptsOnNameKey } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { DAY_MS, withOffset } from '#lib/time';
import { NOON } from '../support/engine.ts';
import { setAttributes } from '../support/set-attributes.ts';
import { attempts, HERE, INVALID, openLogin, PATIENT } from './bench.ts';

const {
  table,
  wire,
  clock,
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
  knownHere,
} = await openLogin();
const MINUTE = 60_000;
/** Whether a command writes this one of the lists. */
const isOf = (SK: string) => (input: Readonly<Record<string, unknown>>) =>
  (input['Item'] as { SK?: { S?: string } } | undefined)?.SK?.S === SK;
const MINE = { id: expect.any(String), at: NOON, from: HERE };

describe('five failures from an address', () => {
  test('refuse the right password unread, and no attempt more counts', async () => {
    const ada = await user();
    await failedFromHere(ada, 5);
    await expect(logIn(ada)).rejects.toMatchObject({ code: 'too_many_requests', retryAfter: 299 });
    expect(operations()).toEqual(['BatchGetItem']);
    expect((await ofPair(ada))?.attempts).toHaveLength(5);
  });

  test('do not concern other addresses', async () => {
    const ada = await user();
    await put(table, attemptsOfPairKey(ada.username, '198.51.100.1'), { attempts: attempts(5), revision: 1 });
    expect((await logIn(ada)).id).toBe(ada.id);
  });

  test('are forgotten once failures were cleared', async () => {
    const ada = await user({ failures_cleared_at: NOON - 1000 });
    await failedFromHere(ada, 5);
    expect((await logIn(ada)).id).toBe(ada.id);
  });

  test.each([
    ['a name without an account', async () => ({ username: 'nobody-at-all' })],
    ['an address that the account knows', () => user()],
  ])('count for %s too', async (_what, of) => {
    const named = await of();
    const item = { attempts: attempts(5), revision: 1, known_at: NOON - DAY_MS };
    await put(table, attemptsOfPairKey(named.username, HERE), item);
    await expect(logIn(named)).rejects.toMatchObject({ code: 'too_many_requests' });
  });
});

describe('fifty failures from one address, whatever the names', () => {
  const given = (failed: number, revision = 1) =>
    put(table, attemptsFromAddressKey(HERE), { attempts: attempts(failed, { from: HERE }), revision });

  test('refuse any name that it has not logged in under, and no attempt more counts', async () => {
    await given(50);
    const ada = await user();
    for (const each of [ada, { username: 'nobody-here' }])
      await expect(logIn(each)).rejects.toMatchObject({ code: 'too_many_requests', retryAfter: 899 });
    expect((await fromHere())?.attempts).toHaveLength(50);
    expect([await ofPair(ada), await onName(ada)]).toEqual([undefined, undefined]);
  });

  test('give up the places of the pair and the name, where they are complete only then', async () => {
    await given(49);
    const ada = await user();
    let complete = false;
    wire.script(async (_operation, input) => {
      if (!isOf('ADDRESS')(input) || complete) return undefined;
      complete = true;
      await given(50, 2);
      return undefined;
    });
    await expect(logIn(ada)).rejects.toMatchObject({ code: 'too_many_requests' });
    wire.reset();
    expect([(await ofPair(ada))?.attempts, (await onName(ada))?.attempts]).toEqual([[], []]);
  });

  test('are no obstacle to who has logged in from there', async () => {
    await given(50);
    const ada = await user();
    await knownHere(ada);
    await refused(ada, 'wrong password');
    expect((await logIn(ada)).id).toBe(ada.id);
    expect((await fromHere())?.attempts).toHaveLength(50);
  });

  test('are what 49 and one more are, under a name that was not tried before', async () => {
    await given(49);
    await refused({ username: 'the-last' });
    await expect(logIn(await user())).rejects.toMatchObject({ code: 'too_many_requests' });
  });

  test('are cleared by no administrator who unlocks an account', async () => {
    await given(50);
    const ada = await user({ failures_cleared_at: NOON - 1000 });
    await expect(logIn(ada)).rejects.toMatchObject({ code: 'too_many_requests' });
  });
});

describe('fifty failures of a name from anywhere', () => {
  const END = withOffset(NOON + 15 * MINUTE);

  test.each([
    [48, undefined],
    [49, END],
  ])('lock the password: after %i, one more until %s', async (failed, end) => {
    const ada = await user();
    await failedOnName(ada, attempts(failed));
    await refused(ada, 'wrong password');
    expect(await endOf(ada)).toBe(end);
    clock.time = NOON + 1;
    if (end) await refused(ada);
    else expect((await logIn(ada)).id).toBe(ada.id);
  });

  test('let nobody in, though the lockout of the account has not been written', async () => {
    const ada = await user();
    await put(table, attemptsOnNameKey(ada.username), { attempts: [], revision: 1, locked_at: NOON - 1 });
    await refused(ada);
    expect(await endOf(ada)).toBe(END);
    expect((await onName(ada))?.attempts).toEqual([]);
    expect((await ofPair(ada))?.attempts).toEqual([MINE]);
  });

  test('let nobody in who has waited for the last of them', async () => {
    const ada = await user();
    const last = { id: 'last', at: NOON, from: '198.51.100.9', pending: true } as const;
    await failedOnName(ada, [...attempts(49), last]);
    const outcome = expect(logIn(ada)).rejects.toMatchObject(INVALID);
    await vi.waitUntil(() => operations().includes('GetItem'), PATIENT);
    await put(table, attemptsOnNameKey(ada.username), { attempts: [], revision: 2, locked_at: NOON });
    await outcome;
  });

  test('keep nobody out who has logged in from there within 30 days', async () => {
    const ada = await user({ lockoutend: END });
    await put(table, attemptsOnNameKey(ada.username), { attempts: [], revision: 1, locked_at: NOON - 1 });
    await knownHere(ada, NOON - 30 * DAY_MS);
    await refused(ada);
    await knownHere(ada, NOON - 30 * DAY_MS + 1);
    expect((await logIn(ada)).id).toBe(ada.id);
    expect(await endOf(ada)).toBe(END);
  });

  test('are not added to from an address that the account knows', async () => {
    const ada = await user();
    await knownHere(ada);
    await refused(ada, 'wrong password');
    expect([await onName(ada), await fromHere()]).toEqual([undefined, undefined]);
  });

  test.each<[string, Partial<Account>]>([
    ['cancelled', { isactive: false }],
    ['locked for good', { lockoutend: FOREVER }],
  ])('or not, an account that is %s lets in nobody, from a known address neither', async (_name, part) => {
    const ada = await user(part);
    await knownHere(ada);
    await refused(ada);
  });

  test('never lock an account that is exempt', async () => {
    const ada = await user({ lockoutenabled: false });
    await failedOnName(ada, attempts(49));
    await refused(ada, 'wrong password');
    expect(await endOf(ada)).toBeUndefined();
    expect((await logIn(ada)).id).toBe(ada.id);
  });

  test('lock it no more once failures were cleared', async () => {
    const ada = await user({ failures_cleared_at: NOON - 1000 });
    await failedOnName(ada, attempts(50));
    await refused(ada, 'wrong password');
    expect(await endOf(ada)).toBeUndefined();
    expect((await onName(ada))?.attempts).toEqual([MINE]);
  });

  test('do not lock it where an administrator has cleared them during the last', async () => {
    const ada = await user();
    await failedOnName(ada, attempts(49));
    wire.script(async (operation) => {
      if (operation === 'PutItem' && !(await cleared)) cleared = clear();
      return undefined;
    });
    let cleared: Promise<boolean> | undefined;
    const clear = async () => {
      await setAttributes(table, ada, { failures_cleared_at: NOON });
      return true;
    };
    await refused(ada, 'wrong password');
    expect(await endOf(ada)).toBeUndefined();
  });

  test('count no longer than the lockout, and what is tried meanwhile makes it no longer', async () => {
    const ada = await user();
    await failedOnName(ada, attempts(49));
    await refused(ada, 'wrong password');
    clock.time = NOON + 15 * MINUTE - 1;
    await refused(ada);
    expect(await endOf(ada)).toBe(END);
    clock.time = NOON + 15 * MINUTE;
    expect((await logIn(ada)).id).toBe(ada.id);
  });
});

test('an attempt that waited is judged by the account as it is when its turn comes', async () => {
  const ada = await user();
  const others = attempts(5, { from: HERE, at: NOON, pending: true });
  await put(table, attemptsOfPairKey(ada.username, HERE), { attempts: others, revision: 1 });
  wire.reset();
  const outcome = expect(logIn(ada)).rejects.toMatchObject(INVALID);
  await vi.waitUntil(() => operations().includes('GetItem'), PATIENT);
  await setAttributes(table, ada, { lockoutend: FOREVER });
  await put(table, attemptsOfPairKey(ada.username, HERE), { attempts: [], revision: 2 });
  await outcome;
});

test('an attempt waits for 8 seconds all in all, in whichever lists', async () => {
  const ada = await user();
  const verifying = (n: number) => ({ attempts: attempts(n, { at: NOON, pending: true }), revision: 1 });
  await put(table, attemptsOfPairKey(ada.username, HERE), verifying(5));
  await put(table, attemptsFromAddressKey(HERE), verifying(50));
  wire.reset();
  let reads = 0;
  wire.script(async (operation) => {
    if (operation !== 'GetItem') return undefined;
    reads += 1;
    clock.time = NOON + (reads === 1 ? 8000 : 8001);
    if (reads === 1) await put(table, attemptsOfPairKey(ada.username, HERE), { attempts: [], revision: 2 });
    return undefined;
  });
  await expect(logIn(ada)).rejects.toMatchObject({ code: 'too_many_requests', retryAfter: 1 });
  expect(reads).toBe(2);
});
