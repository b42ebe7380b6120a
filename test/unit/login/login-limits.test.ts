import { expect, test } from 'vitest';
import { endSessions } from '#lib/account/reset-stamp';
import { type Account, FOREVER } from '#lib/item/account';
import { type AttemptLimit, PER_ADDRESS, PER_NAME, PER_PAIR } from '#lib/login/attempts';
import { contract as login } from '#lib/login/login.contract';
import { setPassword } from '#lib/password/set-password';
import { DAY_MS, MINUTE_MS, withOffset } from '#lib/time';
import { type AccountOverrides, NOON } from '../support/engine.ts';
import { surrounded, UNSEEN } from '../support/unseen.ts';
import { attempts, HERE, INVALID, openLogin, PASSWORD, WRONG } from './bench.ts';

const bench = await openLogin();
const { wire, runtime, account, operations, logIn, refused, user, given, listOf } = bench;
const { storedAttempts, endOf, lockAndUnlock } = bench;

const [P, A, N] = [PER_PAIR.max, PER_ADDRESS.max, PER_NAME.max];
const { knownMs = 0 } = PER_PAIR;
const { lockoutMs = 0 } = PER_NAME;
const END = withOffset(NOON + lockoutMs);
const REST = withOffset(NOON - MINUTE_MS + lockoutMs);

/** Failures that count for an attempt; a name may be locked out instead. */
interface Failures {
  readonly pair?: number;
  readonly address?: number;
  readonly name?: number | 'locked';
}

/** The state at an attempt, by default a new account without failures, and the right password. */
interface Situation {
  readonly before?: Failures;
  readonly account?: AccountOverrides | 'missing' | 'impossible' | 'without password';
  /** Time of the last successful login of the pair. */
  readonly known?: number;
  readonly password?: string;
}

/** An attempt, and the failures and the end of the account's lockout afterwards. */
interface Row extends Situation {
  readonly what: string;
  readonly after: Failures;
  readonly end?: string;
}

const NONE = { pair: 0, address: 0, name: 0 } satisfies Failures;
/** A failure that counts in every list. */
const ONE = { pair: 1, address: 1, name: 1 } satisfies Failures;
const LOCKED: Situation = { before: { name: 'locked' } };
const MISSING: Situation = { account: 'missing' };
const CANCELLED: Situation = { account: { isactive: false } };
const EXEMPT: Situation = { account: { lockoutenabled: false } };
const CLEARED: Situation = { account: { failures_cleared_at: NOON - 1000 } };
const FOR_GOOD: Situation = { account: { lockoutend: FOREVER } };
const ENDING: Situation = { account: { lockoutend: END, lock_reason: '' } };
const FOR_A_TIME: Situation = { account: { lockoutend: END } };
const ENDED: Situation = { account: { lockoutend: withOffset(NOON) } };
const PASSWORDLESS: Situation = { account: 'without password' };
const GUESS: Situation = { password: WRONG };
const KNOWN: Situation = { known: NOON - DAY_MS };

const ACCEPTED: Row[] = [
  { what: 'the right password', after: NONE },
  { what: 'a pair one failure below its limit', before: { pair: P - 1 }, after: NONE },
  { what: 'a pair whose failures were cleared', before: { pair: P }, ...CLEARED, after: NONE },
  {
    what: 'an address one failure below its limit',
    before: { address: A - 1 },
    after: { ...NONE, address: A - 1 },
  },
  {
    what: 'a known pair from an exhausted address',
    before: { address: A },
    ...KNOWN,
    after: { ...NONE, address: A },
  },
  { what: 'a name one failure below its limit', before: { name: N - 1 }, after: { ...NONE, name: N - 1 } },
  { what: 'an exempt account whose name is locked out', ...LOCKED, ...EXEMPT, after: NONE },
  {
    what: 'a known pair of a locked account',
    ...LOCKED,
    ...FOR_A_TIME,
    known: NOON - knownMs + 1,
    after: NONE,
    end: END,
  },
  { what: 'an account whose lockout has ended', ...ENDED, after: NONE, end: withOffset(NOON) },
];

const REFUSED: Row[] = [
  { what: 'a wrong password', ...GUESS, after: ONE },
  { what: 'the last failure of a pair', before: { pair: P - 1 }, ...GUESS, after: { ...ONE, pair: P } },
  {
    what: 'the last failure of an address',
    before: { address: A - 1 },
    ...GUESS,
    after: { ...ONE, address: A },
  },
  {
    what: 'a failure of a known pair, which counts for the pair only',
    before: { address: A },
    ...KNOWN,
    ...GUESS,
    after: { pair: 1, address: A, name: 0 },
  },
  {
    what: 'the last failure but one of a name',
    before: { name: N - 2 },
    ...GUESS,
    after: { ...ONE, name: N - 1 },
  },
  {
    what: 'the last failure of a name, which locks the account',
    before: { name: N - 1 },
    ...GUESS,
    after: { ...ONE, name: 0 },
    end: END,
  },
  {
    what: 'the last failure of a name without an account',
    before: { name: N - 1 },
    ...MISSING,
    ...GUESS,
    after: { ...ONE, name: 0 },
  },
  {
    what: 'a failure after those of the name were cleared',
    before: { name: N },
    ...CLEARED,
    ...GUESS,
    after: ONE,
  },
  {
    what: 'the last failure of the name of an exempt account',
    before: { name: N - 1 },
    ...EXEMPT,
    ...GUESS,
    after: { ...ONE, name: 0 },
  },
  {
    what: 'a name that is locked out, whose account is locked for the rest',
    ...LOCKED,
    after: { ...ONE, name: 0 },
    end: REST,
  },
  {
    what: 'a name that is locked out and whose account is cancelled',
    ...LOCKED,
    ...CANCELLED,
    after: { ...ONE, name: 0 },
  },
  {
    what: 'a pair that is known no longer',
    ...LOCKED,
    ...FOR_A_TIME,
    known: NOON - knownMs,
    after: { ...ONE, name: 0 },
    end: END,
  },
  { what: 'a cancelled account', ...CANCELLED, after: ONE },
  { what: 'a known pair of a cancelled account', ...KNOWN, ...CANCELLED, after: { ...NONE, pair: 1 } },
  { what: 'an account that an administrator has locked', ...FOR_GOOD, after: ONE, end: FOREVER },
  {
    what: 'a known pair of such an account',
    ...KNOWN,
    ...FOR_GOOD,
    after: { ...NONE, pair: 1 },
    end: FOREVER,
  },
  {
    what: 'a known pair of an account whose lock has an end',
    ...KNOWN,
    ...ENDING,
    after: { ...NONE, pair: 1 },
    end: END,
  },
  { what: 'an account that is locked for a time', ...FOR_A_TIME, after: ONE, end: END },
  { what: 'a username without an account', ...MISSING, after: ONE },
  { what: 'a username that no account can have', account: 'impossible', after: ONE },
  { what: 'an account without a password', ...PASSWORDLESS, after: ONE },
  { what: 'an empty password of such an account', ...PASSWORDLESS, password: '', after: ONE },
];

const TOO_SOON: (Situation & { readonly what: string; readonly limit: AttemptLimit })[] = [
  { what: 'an exhausted pair', before: { pair: P }, limit: PER_PAIR },
  { what: 'an exhausted pair that is known', before: { pair: P }, ...KNOWN, limit: PER_PAIR },
  { what: 'an exhausted pair without an account', before: { pair: P }, ...MISSING, limit: PER_PAIR },
  { what: 'an exhausted address', before: { address: A }, limit: PER_ADDRESS },
  { what: 'an exhausted address without an account', before: { address: A }, ...MISSING, limit: PER_ADDRESS },
  {
    what: 'an exhausted address though failures of the account were cleared',
    before: { address: A },
    ...CLEARED,
    limit: PER_ADDRESS,
  },
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
async function attempt({ before = {}, account, known, password }: Situation) {
  const of = await named(account);
  const { pair, address, name } = before;
  const here = (n = 0) => ({ attempts: attempts(n, { from: HERE }) });
  await given(of, {
    ...((pair || known) && {
      pair: { ...here(pair), ...(known && { known_at: known, known_stamp: of.stamp }) },
    }),
    ...(address && { address: here(address) }),
    ...(name && { name: name === 'locked' ? { locked_at: NOON - MINUTE_MS } : { attempts: attempts(name) } }),
  });
  return { of, login: logIn(of, password) };
}

/** The failures that count now. */
async function counted(of: { username: string }): Promise<Failures> {
  const [pair = 0, address = 0, name = 0] = (await storedAttempts(of)).map((all) => all?.length);
  return { pair, address, name };
}

test.each(ACCEPTED)('a login accepts $what', async ({ after, end, ...situation }) => {
  const { of, login } = await attempt(situation);
  expect((await login).id).toBe(of.id);
  expect(await counted(of)).toEqual(after);
  expect(await endOf(of)).toBe(end);
});

test.each(REFUSED)('a login refuses $what', async ({ after, end, ...situation }) => {
  const { of, login } = await attempt(situation);
  await expect(login).rejects.toMatchObject(INVALID);
  const readsAccount = wire.commands[0]?.needs.includes('table:BatchGetItem:ACCOUNT');
  expect(readsAccount).toBe(situation.account !== 'impossible');
  expect(await counted(of)).toEqual(after);
  expect(await endOf(of)).toBe(end);
});

test.each(TOO_SOON)('a login refuses $what after one read', async ({ limit, ...situation }) => {
  const { of, login } = await attempt(situation);
  const { name, max, windowMs } = limit;
  await expect(login).rejects.toMatchObject({
    code: 'too_many_requests',
    retryAfter: windowMs / 1000 - 1,
    limit: { name, quota: max, windowSeconds: windowMs / 1000 },
  });
  expect(operations()).toEqual(['BatchGetItem']);
  expect(await counted(of)).toEqual({ ...NONE, ...situation.before });
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
  expect((await counted(ada)).address).toBe(1);
});

test.each<{ what: string } & Situation>([
  { what: 'an account' },
  { what: 'a cancelled account', ...CANCELLED },
  { what: 'a locked account', ...FOR_A_TIME },
  { what: 'an exempt account', ...EXEMPT },
  { what: 'no account', ...MISSING },
  { what: 'an impossible username', account: 'impossible' },
])(
  'the existence of an account does not show in the reads and writes of a refusal for $what',
  async ({ account }) => {
    const of = await named(account);
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

test('all forms of a username share its attempts, in any case and with anything unseen around it', async () => {
  const ada = await user();
  const { username } = ada;
  const forms = [...Object.values(UNSEEN).map((unseen) => `${unseen}${username}`), username.toUpperCase()];
  const sent = (name: string, password: string) =>
    logIn(login.body().parse({ username: name, password }), password);
  for (const form of forms.slice(-P)) await expect(sent(form, WRONG)).rejects.toMatchObject(INVALID);
  for (const form of [...forms, surrounded(username)])
    await expect(sent(form, PASSWORD)).rejects.toMatchObject({ code: 'too_many_requests' });
  expect((await listOf('pair', ada))?.attempts).toHaveLength(P);
  await given(ada, { pair: {} });
  expect(await sent(surrounded(username), PASSWORD)).toMatchObject({ username });
});
