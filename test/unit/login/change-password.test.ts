import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import bcrypt from 'bcryptjs';
import { decodeJwt } from 'jose';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createCode } from '#lib/account/create-code';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { lockAccount, unlockAccount } from '#lib/account/lifecycle/lock';
import { reactivateAccount } from '#lib/account/lifecycle/reactivate';
import { endSessions } from '#lib/account/reset-stamp';
import { authenticator } from '#lib/auth/authenticate';
import { Failure } from '#lib/failure/failure';
import { EVENT_TYPES } from '#lib/instance/settings';
import { type Account, FOREVER } from '#lib/item/account';
import type { CredentialLimits } from '#lib/item/token';
import { PER_PAIR } from '#lib/login/attempts';
import { changePassword } from '#lib/login/change-password';
import { openSession } from '#lib/login/open-session';
import { verifyPassword } from '#lib/password/hash';
import { MAX_BYTES, MIN_BYTES } from '#lib/password/length';
import { setPassword } from '#lib/password/set-password';
import { accountKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { listen } from '../../../infra/local/machine/listen.ts';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { by, COST, NOON } from '../support/engine.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import { setAttributes } from '../support/set-attributes.ts';
import { publishKey } from '../support/signing-keys.ts';
import { attempts, CODE_LISTS, HERE, INVALID, LISTS, openLogin, PASSWORD, WRONG } from './bench.ts';

const bench = await openLogin();
const { table, wire, clock, runtime, account, stored, operations, user, given, storedAttempts, hashOf } =
  bench;
afterEach(() => vi.restoreAllMocks());

const key = await publishKey(table);
const settings = { ...runtime.settings, OwnerName: 'Example' };
const withKey = { ...runtime, settings, signingKey: async () => key };
const ADMIN = by('admin');
const NEW = 'battery staple';
const WRONG_CODE = '0000-0000-0000';

type Form = Partial<Parameters<typeof changePassword>[3]>;
const change = (caller: Account | undefined, form: Form, limits?: CredentialLimits) =>
  changePassword(withKey, caller, limits, { new_password: NEW, ...form }, gatewayEvent());
const own = (it: Account, form: Form = {}) => change(it, { current_password: PASSWORD, ...form });
const codeFor = async (it: Account, hours?: number) =>
  (await createCode(runtime, it, ADMIN, {}, { hours })).code;
const byCode = ({ username }: Pick<Account, 'username'>, code: string, form: Form = {}) =>
  change(undefined, { username, code, ...form });
const fault = (field: string, message: string) => ({ code: 'invalid_request', errors: [{ field, message }] });
const weak = (message: string) => fault('new_password', message);
const [WITH, WITHOUT] = ['Must be sent with a credential', 'Must be sent without a credential'];
const narrow = {
  code: 'forbidden',
  errors: [{ field: 'roles', message: 'Requires a credential with all roles' }],
};
const callerOf = async (value: string) =>
  (await authenticator(runtime, 0)({ kind: 'jwt', value, address: HERE })).caller;

/** Both ways to a new password of an account, with the right proof and a wrong one. */
const WAYS: [string, (it: Account) => Promise<Form>, Form, isOwn: boolean][] = [
  ['current password', async () => ({ current_password: PASSWORD }), { current_password: WRONG }, true],
  [
    'code',
    async (it) => ({ username: it.username.toUpperCase(), code: await codeFor(it) }),
    { code: WRONG_CODE },
    false,
  ],
];

describe.each(WAYS)('a new password by a %s', (_title, proofOf, wrong, isOwn) => {
  const by = (it: Account, form: Form) => change(isOwn ? it : undefined, form);
  const lists = isOwn ? LISTS : CODE_LISTS;
  /** The stored attempts that count for this way: of the pair, then in other lists. */
  const counted = async (it: Account) => {
    const [ofPair, ...others] = await storedAttempts(it, lists);
    return { ofPair, others };
  };
  const others = isOwn ? [[], []] : [[]];

  test('replaces the hash, ends all sessions and the code, and answers a new session', async () => {
    const ada = await user();
    const former = await openSession(runtime, key, ada, gatewayEvent(), {});
    const code = isOwn ? await codeFor(ada) : '';
    const { data, cookies, login, details } = await by(ada, { ...(await proofOf(ada)), createCookie: true });
    const { lastActivity, never_used, ...unchanged } = ada;
    const changed = { stamp: expect.not.stringMatching(ada.stamp), password_set: true };
    expect(await stored(ada)).toMatchObject({ ...unchanged, ...changed });
    expect(await stored(ada)).not.toHaveProperty('open_code');
    expect((await callerOf(data.JWTtoken)).id).toBe(ada.id);
    expect(data).toMatchObject({ username: ada.username, token_type: 'Bearer', expires_in: 86_400 });
    expect(cookies[0]).toContain(`ptoken=${data.JWTtoken};`);
    expect(login).toEqual({ credential: null, session: expect.any(String) });
    expect(details).toEqual({ proof: isOwn ? 'password' : 'code' });
    expect(decodeJwt(data.JWTtoken)['amr']).toEqual(isOwn ? ['pwd'] : ['otp']);
    await expect(callerOf(former.data.JWTtoken)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await verifyPassword(NEW, await hashOf(ada), COST)).toBe(true);
    if (isOwn) await expect(byCode(ada, code)).rejects.toMatchObject(INVALID);
  });

  test('is published with its proof', async () => {
    const ada = await user();
    const sent: unknown[] = [];
    const publish = async (events: readonly unknown[]) => {
      sent.push(...events);
      return [];
    };
    const on = { ...withKey, publish, settings: { ...runtime.settings, Events: [...EVENT_TYPES] } };
    const form = { new_password: NEW, ...(await proofOf(ada)) };
    await changePassword(on, isOwn ? ada : undefined, undefined, form, gatewayEvent());
    const detail = { changed_by: ada.username, changed_with: isOwn ? 'password' : 'code' };
    expect(sent).toMatchObject([{ detailType: 'password_change', detail }]);
  });

  test('makes its address known, and leaves no attempt', async () => {
    const ada = await user();
    const failed = { attempts: attempts(PER_PAIR.max - 1, { from: HERE }) };
    await given(ada, { pair: failed, ...(!isOwn && { codePair: failed }) });
    await by(ada, await proofOf(ada));
    const { stamp } = await stored(ada);
    const remembered = { attempts: [], known_at: NOON, known_stamp: stamp };
    expect(await bench.listOf('pair', ada)).toMatchObject(remembered);
    expect(await counted(ada)).toEqual({ ofPair: [], others });
  });

  test.each([
    ['common', 'Password1'.toUpperCase(), 'Must not be a common password'],
    [
      'too short',
      'x'.repeat(MIN_BYTES - 1),
      `Must have ${MIN_BYTES} to ${MAX_BYTES} bytes, without NUL; a letter such as é has two`,
    ],
  ])('is refused without a command when it is %s', async (_what, new_password, message) => {
    const ada = await user();
    for (const form of [await proofOf(ada), { ...(await proofOf(ada)), ...wrong }]) {
      wire.reset();
      await expect(by(ada, { ...form, new_password })).rejects.toMatchObject(weak(message));
      expect(operations()).toEqual([]);
    }
  });

  test.each([
    ['the present one', PASSWORD, 'Must not be the current password'],
    ['a name', 'Lovelace-1815', `Must have ${MIN_BYTES} bytes in addition to your username and names`],
    ['a known word', 'Sommer2026', 'Must not consist mainly of seasons, months, days or years'],
    [
      'the name of the owner',
      'Example-1',
      'Must not consist mainly of the name of the service or of its owner',
    ],
  ])('is refused after the proof, which stays valid, when it is %s', async (_what, new_password, message) => {
    const ada = await user({ user_last_name: 'Lovelace' });
    const form = await proofOf(ada);
    const failed = attempts(1, { from: HERE });
    await given(ada, { [isOwn ? 'pair' : 'codePair']: { attempts: failed } });
    const refused = { ...weak(message), about: ada.username };
    for (let n = 0; n <= PER_PAIR.max; n++)
      await expect(by(ada, { ...form, new_password })).rejects.toMatchObject(refused);
    expect(await counted(ada)).toEqual({ ofPair: failed, others });
    await expect(by(ada, { ...form, ...wrong, new_password })).rejects.toMatchObject(INVALID);
    expect((await by(ada, form)).data.username).toBe(ada.username);
  });

  test.each<[string, (it: Account) => Promise<unknown>, object]>([
    ['a lock', (it) => lockAccount(runtime, it, ADMIN), INVALID],
    ['a cancel', (it) => cancelAccount(runtime, it, ADMIN), INVALID],
    ['another new password', (it) => setPassword(runtime, it, 'another password'), INVALID],
    ['a logout', (it) => endSessions(runtime, it), { code: 'unavailable', retryAfter: 1 }],
  ])('is refused after %s in between, and yields no session', async (_what, meanwhile, failure) => {
    const ada = await user();
    const form = await proofOf(ada);
    const before = await hashOf(ada);
    wire.before('TransactWriteItems', () => meanwhile(ada));
    await expect(by(ada, form)).rejects.toMatchObject({ ...failure, about: ada.username });
    expect(await verifyPassword(NEW, await hashOf(ada), COST)).toBe(false);
    if (failure !== INVALID) expect(await hashOf(ada)).toBe(before);
    const failures = failure === INVALID ? 1 : 0;
    for (const all of await storedAttempts(ada, lists)) expect(all).toHaveLength(failures);
  });

  test('is not set when its session cannot be recorded, and leaves no attempt', async () => {
    const ada = await user();
    const form = await proofOf(ada);
    wire.script((_operation, input) => (JSON.stringify(input).includes('SESSION#') ? DOWN : undefined));
    await expect(by(ada, form)).rejects.toMatchObject({ name: 'InternalServerError' });
    wire.reset();
    expect(await counted(ada)).toEqual({ ofPair: [], others });
    expect(await verifyPassword(PASSWORD, await hashOf(ada), COST)).toBe(true);
    expect((await stored(ada)).stamp).toBe(ada.stamp);
  });
});

test('a code sets the first password of an account, and records its activity', async () => {
  const ada = await account();
  const code = await codeFor(ada);
  await byCode(ada, code.toLowerCase().replaceAll('-', ''));
  expect(await verifyPassword(NEW, await hashOf(ada), COST)).toBe(true);
  await expect.poll(async () => (await stored(ada)).never_used).toBe(false);
  await expect(byCode(ada, code)).rejects.toMatchObject(INVALID);
});

const cancelAndReactivate = async (it: Account) => {
  await cancelAccount(runtime, it, ADMIN);
  return reactivateAccount(runtime, await stored(it), ADMIN);
};
const HOUR = 3_600_000;

/** Changes of an account between the creation of its code and the use. */
const ENDED: [string, (it: Account) => Promise<unknown>][] = [
  ['its hours', async () => (clock.time = NOON + HOUR)],
  ['a lock and an unlock', bench.lockAndUnlock],
  ['a cancel and a reactivation', cancelAndReactivate],
  ['another code', (it) => codeFor(it)],
  ['a new password', (it) => setPassword(runtime, it, PASSWORD)],
  ['a lock', (it) => setAttributes(table, it, { lockoutend: FOREVER })],
  ['a cancel', (it) => setAttributes(table, it, { isactive: false })],
];

test.each(ENDED)('a code is refused after %s', async (_what, end) => {
  const ada = await user();
  const code = await codeFor(ada, 1);
  await end(ada);
  await expect(byCode(ada, code)).rejects.toMatchObject(INVALID);
});

test.each<[string, (it: Account) => Promise<unknown>, (it: Account) => Promise<unknown>]>([
  ['lock', (it) => lockAccount(runtime, it, ADMIN), (it) => unlockAccount(runtime, it, ADMIN)],
  ['cancel', (it) => cancelAccount(runtime, it, ADMIN), (it) => reactivateAccount(runtime, it, ADMIN)],
])('a code created while a %s waits for its transaction ends with it', async (_what, end, undo) => {
  const ada = await user();
  let code = '';
  wire.before('TransactWriteItems', async () => {
    clock.time = NOON + 1;
    code = await codeFor(ada);
  });
  await end(ada);
  await undo(await stored(ada));
  await expect(byCode(ada, code)).rejects.toMatchObject(INVALID);
});

test('a code is refused after another one in between, which stays valid', async () => {
  const ada = await user();
  const code = await codeFor(ada);
  let next = '';
  wire.before('TransactWriteItems', async () => {
    next = await codeFor(ada);
  });
  await expect(byCode(ada, code)).rejects.toMatchObject(INVALID);
  expect((await byCode(ada, next)).data.username).toBe(ada.username);
});

test('a code sets one password when requests use it at once', async () => {
  const ada = await account();
  const code = await codeFor(ada);
  const passwords = Array.from({ length: PER_PAIR.max }, (_, n) => `${NEW} ${n}`);
  const uses = passwords.map((new_password) => byCode(ada, code, { new_password }));
  const ends = await Promise.allSettled(uses);
  const [one, ...others] = passwords.filter((_, n) => ends[n]?.status === 'fulfilled');
  expect(others).toEqual([]);
  expect(await verifyPassword(one as string, await hashOf(ada), COST)).toBe(true);
});

test('a code created after a lock is valid', async () => {
  const ada = await user();
  await bench.lockAndUnlock(ada);
  const code = await codeFor(await stored(ada));
  expect((await byCode(ada, code)).data.username).toBe(ada.username);
});

test.each<[string, Form, CredentialLimits | undefined, object]>([
  ['roles', { current_password: PASSWORD }, { roles: ['a'] }, narrow],
  ['no role', { current_password: PASSWORD }, { roles: [] }, narrow],
  ['a code as well', { username: 'x', code: 'x' }, {}, fault('code', WITHOUT)],
  ['no current password', {}, {}, fault('current_password', 'Is required')],
])('a request of a caller with %s is refused without a command', async (_what, form, limits, failure) => {
  const ada = await user();
  await expect(change(ada, form, limits)).rejects.toMatchObject(failure);
  expect(operations()).toEqual([]);
});

test.each<[string, Form, object]>([
  ['no code', { current_password: PASSWORD }, { code: 'unauthenticated' }],
  ['a code and no username', { code: 'x' }, fault('username', 'Is required')],
  ['a password too', { username: 'x', code: 'x', current_password: 'x' }, fault('current_password', WITH)],
])('a request without a caller is refused with %s', async (_what, form, failure) => {
  await expect(change(undefined, form)).rejects.toMatchObject(failure);
  expect(operations()).toEqual([]);
});

test('a code does not reveal whether a breached password is the present one', async () => {
  const [, suffix] = /^.{5}(.*)$/.exec(createHash('sha1').update(PASSWORD).digest('hex')) ?? [];
  const { url, close } = await listen(createServer((_request, response) => void response.end(`${suffix}:1`)));
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
  const settings = { ...runtime.settings, BreachedPasswordCheck: url };
  const ada = await user();
  const form = { username: ada.username, code: await codeFor(ada), new_password: PASSWORD };
  await expect(
    changePassword({ ...withKey, settings }, undefined, undefined, form, gatewayEvent()),
  ).rejects.toMatchObject(weak('Must not be in a list of breached passwords'));
  await close();
});

test('a login that renews the hash in between does not refuse a new password', async () => {
  const ada = await user({}, await bcrypt.hash(PASSWORD, COST + 1));
  wire.before('TransactWriteItems', () => bench.logIn(ada));
  expect((await own(ada)).data.username).toBe(ada.username);
  expect(await verifyPassword(NEW, await hashOf(ada), COST)).toBe(true);
});

test('a missing key costs no attempt', async () => {
  const ada = await user();
  const failing = { ...withKey, signingKey: () => Promise.reject(new Failure('unavailable')) };
  const form = { current_password: WRONG, new_password: NEW };
  await expect(changePassword(failing, ada, {}, form, gatewayEvent())).rejects.toMatchObject({
    code: 'unavailable',
  });
  expect(operations()).toEqual([]);
  expect(await get(table, accountKey(ada.username))).toMatchObject({ stamp: ada.stamp });
});
