import { describe, expect, test } from 'vitest';
import { becomeMachine, changeAccess } from '#lib/account/access';
import { createAccount } from '#lib/account/create';
import { createCode } from '#lib/account/create-code';
import { accountsPage } from '#lib/account/directory/browse';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { lockAccount } from '#lib/account/lifecycle/lock';
import { changeMemberships, copyMemberships } from '#lib/account/memberships';
import { authenticator } from '#lib/auth/authenticate';
import type { Account } from '#lib/item/account';
import { verifyProofOf } from '#lib/login/password-login';
import { setPassword } from '#lib/password/set-password';
import { signSession } from '#lib/session/session-token';
import { codeKey, passwordKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { createToken } from '#lib/token/create';
import { newAuthenticator } from '../../authenticator.ts';
import { newName } from '../../names.ts';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { storedPasskey } from '../support/items.ts';
import { setAttributes } from '../support/set-attributes.ts';
import { publishKey } from '../support/signing-keys.ts';

const { table, wire, runtime, account, stored } = await openTestTable();
const key = await publishKey(table);
const ADMIN = by('admin');
const PASSWORD = 'correct horse battery';
const FORBIDDEN = ['sys_administrator', 'sys_tokens', 'SYS_ADMINISTRATOR', 'sys_new'];

const person = () => account({ roles: ['a'] });
const machineOf = async (owner: Account, more: object = {}) =>
  createAccount(runtime, { username: newName('machine'), kind: 'machine', owner: owner.username, ...more });
const machine = async (more: object = {}) => machineOf(await person(), more);
const codeOf = (failure: { code?: string; errors?: { field: string }[] }) =>
  `${failure.code} ${failure.errors?.[0]?.field ?? ''}`.trim();
const refusal = (asked: Promise<unknown>) => asked.then(() => 'none', codeOf);

test('a machine is created with its owner, as the owner is written', async () => {
  const owner = await person();
  const made = await machineOf(
    { ...owner, username: owner.username.toUpperCase() },
    { roles: ['sys_introspection'] },
  );
  expect(await stored(made)).toMatchObject({
    kind: 'machine',
    owner: owner.username,
    roles: ['sys_introspection'],
  });
  const { items } = await accountsPage(runtime, { username: made.username });
  expect(items).toMatchObject([{ kind: 'machine', owner: owner.username }]);
  expect((await accountsPage(runtime, { username: owner.username })).items).toMatchObject([
    { kind: 'person', owner: null },
  ]);
});

test('an account of a person has neither attribute', async () => {
  const made = await createAccount(runtime, { username: newName('person'), kind: 'person' });
  expect(await stored(made)).not.toHaveProperty('kind');
  expect(await stored(made)).not.toHaveProperty('owner');
});

describe('an owner is an active person: refused is', () => {
  test.each<[string, () => Promise<string | undefined>]>([
    ['nobody', async () => undefined],
    ['an unknown one', async () => 'nobody.at.all'],
    ['a machine', async () => (await machine()).username],
    ['a cancelled one', async () => (await account({ isactive: false })).username],
  ])('%s', async (_, named) => {
    const owner = await named();
    const input = { username: newName('machine'), kind: 'machine', owner } as const;
    expect(await refusal(createAccount(runtime, input))).toBe('invalid_request owner');
    const before = await machine();
    if (owner === undefined) return;
    const changing = changeAccess(runtime, await person(), before, { owner }, ADMIN);
    expect(await refusal(changing)).toBe('invalid_request owner');
    expect(await refusal(becomeMachine(runtime, await person(), owner, ADMIN))).toBe('invalid_request owner');
    expect(await stored(before)).toMatchObject(before);
  });

  test('the account itself', async () => {
    const one = await person();
    expect(await refusal(becomeMachine(runtime, one, one.username, ADMIN))).toBe('invalid_request owner');
  });

  test('one who is cancelled meanwhile', async () => {
    const owner = await person();
    wire.before('TransactWriteItems', () => cancelAccount(runtime, owner, ADMIN));
    expect(await refusal(machineOf(owner))).toBe('invalid_request owner');
  });

  test('the owner of a person', async () => {
    const owner = await person();
    const input = { username: newName('person'), owner: owner.username };
    expect(await refusal(createAccount(runtime, input))).toBe('invalid_request owner');
    const one = await person();
    const changing = changeAccess(runtime, owner, one, { owner: owner.username }, ADMIN);
    expect(await refusal(changing)).toBe('invalid_request owner');
  });
});

describe('a machine gets nothing that lets a person in', () => {
  const ways: Readonly<Record<string, (of: Account) => Promise<unknown>>> = {
    'a password at its creation': () => machine({ password: PASSWORD }),
    'a hash at its creation': () => machine({ password_hash: `$2y$10$${'a'.repeat(53)}` }),
    'a password by a command': (of) => setPassword(runtime, of, PASSWORD),
    'a one-time code': (of) => createCode(runtime, of, { by: 'admin' }, {}),
    'a password as the person that it was': async () => {
      const before = await account();
      await becomeMachine(runtime, before, (await person()).username, ADMIN);
      return setPassword(runtime, before, PASSWORD);
    },
    ...Object.fromEntries(
      FORBIDDEN.flatMap((role) => [
        [`${role} at its creation, forced`, () => createForced(role)],
        [
          `${role}, forced`,
          (of: Account) => changeMemberships(runtime, of, { add: { roles: [role] } }, { force: true }),
        ],
        [
          `${role} as a copy`,
          async (of: Account) => copyMemberships(runtime, await account({ roles: [role] } as never), of),
        ],
      ]),
    ),
  };
  const createForced = async (role: string) => {
    const { username: owner } = await person();
    const input = { username: newName('machine'), kind: 'machine' as const, owner, roles: [role] };
    return createAccount(runtime, input, undefined, { force: true });
  };

  test.each(Object.entries(ways).filter(([name]) => !/(SYS_ADMINISTRATOR|sys_new) as a copy/.test(name)))(
    '%s',
    async (_, give) => {
      const before = await machine({ roles: ['a'] });
      expect(await refusal(give(before))).toMatch(/^machine_account/);
      expect(await stored(before)).toMatchObject(before);
      expect([
        await get(table, passwordKey(before.username)),
        await get(table, codeKey(before.username)),
      ]).toEqual([undefined, undefined]);
    },
  );
});

describe('a person who becomes a machine', () => {
  const withAll = async () => {
    const one = await account({ password: PASSWORD, roles: ['a'] });
    await storedPasskey(table, one, newAuthenticator(), NOON);
    await createCode(runtime, await stored(one), { by: 'admin' }, {});
    return stored(one);
  };

  test('loses its password, code, passkeys and sessions, and keeps its tokens', async () => {
    const before = await withAll();
    const owner = await person();
    const { value } = await createToken(runtime, before, 'ci', ADMIN);
    const session = await signSession(
      runtime,
      key,
      { sub: before.id, name: before.username, sst: before.stamp },
      NOON / 1000,
      3600,
    );
    const { data, details } = await becomeMachine(runtime, await stored(before), owner.username, ADMIN);
    expect(data).toMatchObject({ username: before.username, kind: 'machine', owner: owner.username });
    expect(details).toEqual({ machine_owner: owner.username, to_machine: true, passkeys_ended: 1 });
    const after = await stored(before);
    expect(after).toMatchObject({ kind: 'machine', owner: owner.username, roles: ['a'], token_count: 1 });
    expect(after).not.toHaveProperty('passkeys.phone');
    const authenticate = authenticator(runtime, 0);
    const at = { address: undefined };
    await expect(authenticate({ kind: 'jwt', value: session, ...at })).rejects.toMatchObject({
      cause: 'stamp_changed',
    });
    expect(await authenticate({ kind: 'api-token', value: value as string, ...at })).toMatchObject({
      credential: 'ci',
    });
    const proof = { password: PASSWORD };
    await expect(verifyProofOf(runtime, before.username, proof, '192.0.2.1')).rejects.toMatchObject({
      cause: 'no_password',
    });
    expect(await get(table, passwordKey(before.username))).toBeUndefined();
  });

  test.each(FORBIDDEN.slice(0, 2))('must not have the role %s', async (role) => {
    const one = await account({ roles: [role] });
    const owner = await person();
    expect(await refusal(becomeMachine(runtime, one, owner.username, ADMIN))).toBe('machine_account kind');
  });

  test.each<[string, (of: Account) => Promise<unknown>]>([
    ['a code', (of) => createCode(runtime, of, { by: 'admin' }, {})],
    ['a password', (of) => setPassword(runtime, of, PASSWORD)],
    ['a role', (of) => changeMemberships(runtime, of, { add: { roles: ['sys_tokens'] } })],
  ])('gets no %s that is written at the same time', async (_, give) => {
    const before = await person();
    const owner = await person();
    // The other write has read the person.
    wire.before('TransactWriteItems', () => becomeMachine(runtime, before, owner.username, ADMIN));
    expect(await refusal(give(before))).toMatch(/^machine_account/);
    expect(await stored(before)).toMatchObject({ kind: 'machine', roles: ['a'] });
    expect(await get(table, codeKey(before.username))).toBeUndefined();
  });
});

describe('a change that a person gets while it becomes a machine', () => {
  const whileBecoming = async (give: (of: Account) => Promise<unknown>) => {
    const before = await person();
    const owner = await person();
    // The transition has read the person.
    wire.before('TransactWriteItems', () => give(before));
    return { before, outcome: await refusal(becomeMachine(runtime, before, owner.username, ADMIN)) };
  };

  test.each(['sys_administrator', 'sys_tokens'])(
    'refuses the transition if it is the role %s',
    async (role) => {
      const { before, outcome } = await whileBecoming((of) =>
        changeMemberships(runtime, of, { add: { roles: [role] } }),
      );
      expect(outcome).toBe('machine_account kind');
      expect(await stored(before)).toMatchObject({ roles: ['a', role] });
      expect(await stored(before)).not.toHaveProperty('kind');
    },
  );

  test('ends with the transition if it is a password', async () => {
    const { before, outcome } = await whileBecoming((of) => setPassword(runtime, of, PASSWORD));
    expect(outcome).toBe('none');
    expect(await stored(before)).toMatchObject({ kind: 'machine' });
    expect(await get(table, passwordKey(before.username))).toBeUndefined();
  });

  test('ends with the transition if it is a code', async () => {
    let code = '';
    const { before, outcome } = await whileBecoming(async (of) => {
      code = (await createCode(runtime, of, { by: 'admin' }, {})).code;
    });
    expect(outcome).toBe('none');
    const proof = { password: code };
    await expect(verifyProofOf(runtime, before.username, proof, '192.0.2.1')).rejects.toMatchObject({
      code: 'invalid_credentials',
    });
  });
});

test('the directory lists machines, persons, and machines that nobody answers for', async () => {
  const [gone, kept] = [await person(), await person()];
  const [one, two] = [await machineOf(gone), await machineOf(kept)];
  const three = await setAttributes(table, await machine(), {
    owner: 'erased:0199c3f0-5a10-7d3e-9c41-2b7c1f6e8a01',
  });
  const turned = await person();
  const four = await machineOf(turned);
  await becomeMachine(runtime, turned, kept.username, ADMIN);
  await cancelAccount(runtime, gone, ADMIN);
  const listed = async (filter: object) =>
    (await accountsPage(runtime, filter)).items
      .map(({ username }) => username)
      .filter((name) =>
        [gone, kept, one, two, three, turned, four].some(({ username }) => username === name),
      );
  const names = (...all: Account[]) => all.map(({ username }) => username).sort();
  expect((await listed({ kind: 'machine' })).sort()).toEqual(names(one, two, three, turned, four));
  expect((await listed({ kind: 'person' })).sort()).toEqual(names(gone, kept));
  await lockAccount(runtime, kept, ADMIN);
  expect((await listed({ owner: gone.username.toUpperCase() })).sort()).toEqual(names(one));
  expect((await listed({ owner: kept.username })).sort()).toEqual(names(two, turned));
  expect((await listed({ owner: three.owner })).sort()).toEqual(names(three));
  expect((await listed({ owner: gone.username, owner_gone: false })).sort()).toEqual([]);
  expect((await listed({ owner_gone: true })).sort()).toEqual(names(one, three, four));
  expect((await listed({ owner_gone: false })).sort()).toEqual(names(two, turned));
});
