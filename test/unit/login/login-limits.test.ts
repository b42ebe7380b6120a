import { expect, test } from 'vitest';
import { createCode } from '#lib/account/create-code';
import { endSessions } from '#lib/account/reset-stamp';
import { type Account, FOREVER } from '#lib/item/account';
import { type Limit, PER_ADDRESS, PER_NAME, PER_PAIR } from '#lib/login/attempts';
import { verifyProofOf } from '#lib/login/password-login';
import { setPassword } from '#lib/password/set-password';
import { put } from '#lib/table/write';
import { DAY_MS, MINUTE_MS, withOffset } from '#lib/time';
import { type AccountOverrides, NOON } from '../support/engine.ts';
import { setAttributes } from '../support/set-attributes.ts';
import { attempts, HERE, INVALID, LISTS, openLogin, PASSWORD, WRONG } from './bench.ts';

const bench = await openLogin();
const { table, wire, clock, runtime, account, operations, logIn, refused, user, given, listOf } = bench;
const { storedAttempts, endOf, lockAndUnlock } = bench;

const [P, A, N] = [PER_PAIR.max, PER_ADDRESS.max, PER_NAME.max];
const { knownMs = 0 } = PER_PAIR;
const { lockoutMs = 0 } = PER_NAME;
const END = withOffset(NOON + lockoutMs);
const REST = withOffset(NOON - MINUTE_MS + lockoutMs);

interface Situation {
  readonly account?: AccountOverrides | 'missing' | 'impossible' | 'without password';
  /** Time of the last successful login of the pair. */
  readonly known?: number;
  readonly password?: string;
}
/** Failures of the pair, the address and the name. */
type Failures = readonly [pair: number, address: number, name: number | 'locked'];
/** The state before, then the failures and the end of the account's lockout afterwards. */
type Row = [title: string, before: Failures, Situation, after: readonly number[], end?: string];

const NONE: Failures = [0, 0, 0];
const LOCKED: Failures = [0, 0, 'locked'];
const MISSING = { account: 'missing' } as const;
const CANCELLED = { account: { isactive: false } };
const EXEMPT = { account: { lockoutenabled: false } };
const CLEARED = { account: { failures_cleared_at: NOON - 1000 } };
const FOR_GOOD = { account: { lockoutend: FOREVER } };
const ENDING = { account: { lockoutend: END, lock_reason: '' } };
const FOR_A_TIME = { account: { lockoutend: END } };
const ENDED = { account: { lockoutend: withOffset(NOON) } };
const GUESS = { password: WRONG };
const KNOWN = { known: NOON - DAY_MS };

const ACCEPTED: Row[] = [
  ['the right password', NONE, {}, [0, 0, 0]],
  ['a pair one failure below its limit', [P - 1, 0, 0], {}, [0, 0, 0]],
  ['a pair whose failures were cleared', [P, 0, 0], CLEARED, [0, 0, 0]],
  ['an address one failure below its limit', [0, A - 1, 0], {}, [0, A - 1, 0]],
  ['a known pair from an exhausted address', [0, A, 0], KNOWN, [0, A, 0]],
  ['a name one failure below its limit', [0, 0, N - 1], {}, [0, 0, N - 1]],
  ['an exempt account whose name is locked out', LOCKED, EXEMPT, [0, 0, 0]],
  ['a known pair of a locked account', LOCKED, { known: NOON - knownMs + 1, ...FOR_A_TIME }, [0, 0, 0], END],
  ['an account whose lockout has ended', NONE, ENDED, [0, 0, 0], withOffset(NOON)],
];

const REFUSED: Row[] = [
  ['a wrong password', NONE, GUESS, [1, 1, 1]],
  ['the last failure of a pair', [P - 1, 0, 0], GUESS, [P, 1, 1]],
  ['the last failure of an address', [0, A - 1, 0], GUESS, [1, A, 1]],
  ['a failure of a known pair, which counts for the pair only', [0, A, 0], { ...KNOWN, ...GUESS }, [1, A, 0]],
  ['the last failure but one of a name', [0, 0, N - 2], GUESS, [1, 1, N - 1]],
  ['the last failure of a name, which locks the account', [0, 0, N - 1], GUESS, [1, 1, 0], END],
  ['the last failure of a name without an account', [0, 0, N - 1], { ...MISSING, ...GUESS }, [1, 1, 0]],
  ['a failure after those of the name were cleared', [0, 0, N], { ...CLEARED, ...GUESS }, [1, 1, 1]],
  ['the last failure of the name of an exempt account', [0, 0, N - 1], { ...EXEMPT, ...GUESS }, [1, 1, 0]],
  ['a name that is locked out, whose account is locked for the rest', LOCKED, {}, [1, 1, 0], REST],
  ['a name that is locked out and whose account is cancelled', LOCKED, CANCELLED, [1, 1, 0]],
  ['a pair that is known no longer', LOCKED, { known: NOON - knownMs, ...FOR_A_TIME }, [1, 1, 0], END],
  ['a cancelled account', NONE, CANCELLED, [1, 1, 1]],
  ['a known pair of a cancelled account', NONE, { ...KNOWN, ...CANCELLED }, [1, 0, 0]],
  ['an account that an administrator has locked', NONE, FOR_GOOD, [1, 1, 1], FOREVER],
  ['a known pair of such an account', NONE, { ...KNOWN, ...FOR_GOOD }, [1, 0, 0], FOREVER],
  ['a known pair of an account whose lock has an end', NONE, { ...KNOWN, ...ENDING }, [1, 0, 0], END],
  ['an account that is locked for a time', NONE, FOR_A_TIME, [1, 1, 1], END],
  ['a username without an account', NONE, MISSING, [1, 1, 1]],
  ['a username that no account can have', NONE, { account: 'impossible' }, [1, 1, 1]],
  ['an account without a password', NONE, { account: 'without password' }, [1, 1, 1]],
  ['an empty password of such an account', NONE, { account: 'without password', password: '' }, [1, 1, 1]],
];

const TOO_SOON: [string, Failures, Situation, Limit][] = [
  ['an exhausted pair', [P, 0, 0], {}, PER_PAIR],
  ['an exhausted pair that is known', [P, 0, 0], KNOWN, PER_PAIR],
  ['an exhausted pair without an account', [P, 0, 0], MISSING, PER_PAIR],
  ['an exhausted address', [0, A, 0], {}, PER_ADDRESS],
  ['an exhausted address without an account', [0, A, 0], MISSING, PER_ADDRESS],
  ['an exhausted address though failures of the account were cleared', [0, A, 0], CLEARED, PER_ADDRESS],
];

let names = 0;
const named = async (
  part: Situation['account'] = {},
): Promise<Pick<Account, 'username'> & Partial<Account>> => {
  names += 1;
  if (part === 'missing') return { username: `nobody-${names}` };
  if (part === 'impossible') return { username: `no such\0name ${names}` };
  return part === 'without password' ? account() : user(part);
};

/** Attempts a login in a situation; returns the account and the login. */
async function attempt([pair, address, name]: Failures, { account, known, password }: Situation) {
  const of = await named(account);
  await given(of, {
    ...(pair || known
      ? {
          pair: {
            attempts: attempts(pair, { from: HERE }),
            ...(known && { known_at: known, known_stamp: of.stamp }),
          },
        }
      : {}),
    ...(address ? { address: { attempts: attempts(address, { from: HERE }) } } : {}),
    ...(name
      ? { name: name === 'locked' ? { locked_at: NOON - MINUTE_MS } : { attempts: attempts(name) } }
      : {}),
  });
  return { of, login: logIn(of, password) };
}
const counted = async (of: { username: string }) => (await storedAttempts(of)).map((all) => all?.length ?? 0);

test.each(ACCEPTED)('a login accepts %s', async (_title, before, situation, after, end) => {
  const { of, login } = await attempt(before, situation);
  expect((await login).id).toBe(of.id);
  expect(await counted(of)).toEqual(after);
  expect(await endOf(of)).toBe(end);
});

test.each(REFUSED)('a login refuses %s', async (_title, before, situation, after, end) => {
  const { of, login } = await attempt(before, situation);
  await expect(login).rejects.toMatchObject(INVALID);
  const readsAccount = wire.commands[0]?.needs.includes('table:BatchGetItem:ACCOUNT');
  expect(readsAccount).toBe(situation.account !== 'impossible');
  expect(await counted(of)).toEqual(after);
  expect(await endOf(of)).toBe(end);
});

test.each(TOO_SOON)('a login refuses %s after one read', async (_title, before, situation, limit) => {
  const { of, login } = await attempt(before, situation);
  const { name, max, windowMs } = limit;
  await expect(login).rejects.toMatchObject({
    code: 'too_many_requests',
    retryAfter: windowMs / 1000 - 1,
    limit: { name, quota: max, windowSeconds: windowMs / 1000 },
  });
  expect(operations()).toEqual(['BatchGetItem']);
  expect(await counted(of)).toEqual(before);
});

test('a login that a lockout refuses does not lock the account when the lockout has ended since', async () => {
  const ada = await user();
  await given(ada, { name: { locked_at: NOON - lockoutMs + 1 } });
  wire.before('PutItem', async () => {
    clock.time = NOON + 1;
  });
  await refused(ada);
  expect(await endOf(ada)).toBeUndefined();
});

test('a login that succeeds clears the failures of its name from its own address only', async () => {
  const ada = await user();
  const others = attempts(3);
  await given(ada, { name: { attempts: [...others, ...attempts(4, { from: HERE })] } });
  await logIn(ada);
  expect((await listOf('name', ada))?.attempts).toEqual(others);
  expect(await listOf('pair', ada)).toMatchObject({ known_at: NOON, known_stamp: ada.stamp });
});

test.each<[string, (it: Account) => Promise<unknown>]>([
  ['a new password', (it) => setPassword(runtime, it, PASSWORD)],
  ['the end of all sessions', (it) => endSessions(runtime, it)],
  ['a lock and an unlock', lockAndUnlock],
])('a login makes its address known until %s', async (_title, change) => {
  const ada = await user();
  await logIn(ada);
  await given(ada, { name: { locked_at: NOON + 1 } });
  expect((await logIn(ada)).id).toBe(ada.id);
  await change(ada);
  await refused(ada);
  expect((await counted(ada))[1]).toBe(1);
});

test('a lockout does not begin when an administrator clears the failures during the last attempt', async () => {
  const ada = await user();
  await given(ada, { name: { attempts: attempts(N - 1) } });
  wire.before('PutItem', () => setAttributes(table, ada, { failures_cleared_at: NOON }));
  await refused(ada, WRONG);
  expect(await endOf(ada)).toBeUndefined();
});

const verifying = (limit: Limit) => ({
  attempts: attempts(limit.max, { from: HERE, at: NOON, pending: true }),
});

test.each([{ lockoutend: FOREVER }, { stamp: 'new' }])(
  'an attempt that waits is decided by the account as it is then: %j',
  async (then) => {
    const ada = await user({ lockoutend: END });
    await given(ada, { pair: { ...verifying(PER_PAIR), known_at: NOON, known_stamp: ada.stamp } });
    const outcome = refused(ada);
    await expect.poll(operations).toContain('GetItem');
    await setAttributes(table, ada, then);
    await put(table, LISTS.pair(ada), { attempts: [], revision: 2 });
    await outcome;
  },
);

test('an attempt that waits verifies the one-time code that is stored after its wait', async () => {
  const ada = await user();
  const { code } = await createCode(runtime, ada, {});
  await given(ada, { pair: verifying(PER_PAIR) });
  const proved = verifyProofOf(runtime, ada.username, { code }, HERE);
  await expect.poll(operations).toContain('GetItem');
  await put(table, LISTS.pair(ada), { attempts: [], revision: 2 });
  expect((await proved).account.id).toBe(ada.id);
});

test('an attempt waits for 8 seconds in all lists together', async () => {
  const ada = await user();
  await given(ada, { pair: verifying(PER_PAIR), address: verifying(PER_ADDRESS) });
  let reads = 0;
  wire.script(async (operation) => {
    if (operation !== 'GetItem') return undefined;
    reads += 1;
    clock.time = NOON + (reads === 1 ? 8000 : 8001);
    if (reads === 1) await put(table, LISTS.pair(ada), { attempts: [], revision: 2 });
    return undefined;
  });
  await expect(logIn(ada)).rejects.toMatchObject({ code: 'too_many_requests', retryAfter: 1 });
  expect(reads).toBe(2);
});

test.each<[string, Situation['account']]>([
  ['an account', {}],
  ['a cancelled account', { isactive: false }],
  ['a locked account', { lockoutend: END }],
  ['an exempt account', { lockoutenabled: false }],
  ['no account', 'missing'],
  ['an impossible username', 'impossible'],
])(
  'the existence of an account does not show in the reads and writes of a refusal: %s',
  async (_title, part) => {
    const of = await named(part);
    wire.reset();
    await refused(of, WRONG);
    expect(operations()).toEqual(['BatchGetItem', ...Array(6).fill('PutItem')]);
    // The list of a locked name has no places; the first attempt locks the account.
    await given(of, { name: { locked_at: NOON } });
    await refused(of, WRONG);
    wire.reset();
    await refused(of, WRONG);
    expect(operations()).toEqual(['BatchGetItem', ...Array(4).fill('PutItem')]);
  },
);
