import { expect, test } from 'vitest';
import { type Account, isMachine } from '#lib/item/account';
import type { CredentialLimits } from '#lib/item/token';
import { assign } from '#lib/table/expressions';
import { ALL_TRUSTS, accountKey, type Key, trustKey } from '#lib/table/keys';
import { everythingIn } from '#lib/table/listing';
import { get } from '#lib/table/read';
import { update } from '#lib/table/write';
import { createTrust, type RequestedTrust } from '#lib/trust/create';
import { deleteTrust } from '#lib/trust/delete';
import { issuersIn } from '#lib/trust/issuers';
import { browseTrusts } from '#lib/trust/list';
import { MAX_TRUSTS } from '#lib/trust/maxima';
import { by, NOON, openTestTable } from '../support/engine.ts';

const { table, wire, runtime, account, stored, clock } = await openTestTable({
  Events: 'trust_create,trust_delete',
});

const admin = by('admin');
const issuers = issuersIn(
  JSON.stringify([
    { name: 'ci', issuer: 'https://token.actions.githubusercontent.com' },
    { name: 'build', issuer: 'https://ci.example.com' },
  ]),
);
const SUBJECT = 'repo:octo/app:environment:prod';
const CLAIMS = { repository_id: '123' };

const machine = (overrides = {}) => account({ kind: 'machine', roles: ['billing', 'reports'], ...overrides });
const create = (of: Account, name = 'deploy', requested: Partial<RequestedTrust> = {}) =>
  createTrust(runtime, of, name, admin, {
    issuers,
    issuer: 'ci',
    subject: SUBJECT,
    claims: CLAIMS,
    ...requested,
  });
const remove = async (of: Account, name = 'deploy', deletion = {}) =>
  deleteTrust(runtime, await stored(of), name, admin, deletion);
const itemOf = ({ username }: Account, name = 'deploy') => get(table, trustKey(username, name));
const named = async (of: Account) => (await stored(of)).trusts;

test('createTrust answers the trust, and lists it by its ID in the account', async () => {
  const bot = await machine();
  const trust = await create(bot, 'deploy', {
    roles: ['billing', 'billing'],
    access: 'read',
    addresses: ['192.0.2.7/24'],
    max_minutes: 5,
  });
  expect(trust).toEqual({
    trust_name: 'deploy',
    trust_id: expect.any(String),
    username: bot.username,
    issuer: 'ci',
    subject: SUBJECT,
    claims: CLAIMS,
    roles: ['billing'],
    access: 'read',
    addresses: ['192.0.2.0/24'],
    max_minutes: 5,
    created_at: new Date(NOON).toISOString(),
    created_by: 'admin',
  });
  const after = await stored(bot);
  expect(after.trusts).toEqual({ deploy: trust.trust_id });
  expect(after.transitions).toBe((bot.transitions ?? 0) + 1);
  expect(await itemOf(bot)).toMatchObject({ trust_id: trust.trust_id, trust_owner: bot.username });
});

test('createTrust limits a trust to 15 minutes when nothing else is requested', async () => {
  const bot = await machine();
  expect(await create(bot, 'deploy', { claims: { repository_owner_id: '7' } })).toMatchObject({
    max_minutes: 15,
    roles: null,
    access: 'full',
    addresses: null,
  });
  expect(await itemOf(bot)).not.toHaveProperty('trust_roles');
});

test('createTrust refuses a person, a cancelled machine, a name in use, and too many trusts', async () => {
  expect(isMachine(await account())).toBe(false);
  await expect(create(await account())).rejects.toMatchObject({ code: 'person_account' });
  await expect(create(await machine({ isactive: false }))).rejects.toMatchObject({
    code: 'account_cancelled',
  });
  const bot = await machine();
  await create(bot);
  // The account as it was read before: the condition finds the trust.
  await expect(create(bot)).rejects.toMatchObject({ code: 'trust_exists' });
  expect(MAX_TRUSTS).toBe(20);
  for (let n = 1; n < MAX_TRUSTS; n++) await create(await stored(bot), `deploy-${n}`);
  await expect(create(bot, 'more')).rejects.toMatchObject({ code: 'trust_limit' });
  await remove(bot, 'deploy-1');
  await create(bot, 'more');
});

test('createTrust and deleteTrust lose no trust when they run at the same time', async () => {
  const bot = await machine();
  await create(bot, 'gone');
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  await Promise.all([remove(bot, 'gone'), ...names.map((name) => create(bot, name))]);
  expect(Object.keys((await named(bot)) ?? {}).sort()).toEqual(names);
});

test('createTrust refuses a machine that is cancelled after it was read', async () => {
  const bot = await machine();
  await update(table, {
    Key: accountKey(bot.username),
    ...assign({ isactive: false, transitions: (bot.transitions ?? 0) + 1 }, {}),
  });
  await expect(create(bot)).rejects.toMatchObject({ code: 'account_cancelled' });
  expect(await itemOf(bot)).toBeUndefined();
});

test.each<[string, CredentialLimits, Partial<RequestedTrust>]>([
  ['roles', { roles: ['billing'] }, { roles: ['reports'] }],
  ['addresses', { addresses: ['192.0.2.0/24'] }, { addresses: ['198.51.100.0/24'] }],
  ['expires_at', { expires_at: NOON + 1 }, {}],
])('createTrust refuses %s beyond those of the credential', async (field, limits, requested) => {
  await expect(create(await machine(), 'deploy', { limits, ...requested })).rejects.toMatchObject({
    code: 'forbidden',
    errors: [{ field }],
  });
});

test('createTrust gives a trust the limits of the credential', async () => {
  const limits = { roles: ['billing'], addresses: ['192.0.2.0/24'] };
  expect(await create(await machine(), 'deploy', { limits })).toMatchObject(limits);
});

test.each<[string, Partial<RequestedTrust>, RegExp]>([
  ['roles', { roles: ['sys_tokens'] }, /roles of the account/],
  ['issuer', { issuer: 'gitlab' }, /ci, build/],
  ['issuer', { issuer: 'gitlab', issuers: [] }, /none yet/],
  ['claims', { claims: {} }, /repository_id or repository_owner_id/],
])('createTrust names the fault of %s', async (field, requested, message) => {
  await expect(create(await machine(), 'deploy', requested)).rejects.toMatchObject({
    code: 'invalid_request',
    errors: [{ field, message: expect.stringMatching(message) }],
  });
});

test('deleteTrust removes the trust, and a new one with its name has another ID', async () => {
  const bot = await machine();
  const former = await create(bot);
  const { transitions = 0 } = await stored(bot);
  expect(await remove(bot)).toEqual({ trust_name: 'deploy', username: bot.username });
  expect(await stored(bot)).toMatchObject({ transitions: transitions + 1 });
  expect(await named(bot)).toBeUndefined();
  expect(await itemOf(bot)).toBeUndefined();
  await expect(remove(bot)).rejects.toMatchObject({ code: 'trust_not_found' });
  const next = await create(bot);
  expect(next.trust_id).not.toBe(former.trust_id);
  // Whoever saw the former one deletes no other.
  await expect(remove(bot, 'deploy', { id: former.trust_id })).rejects.toMatchObject({
    code: 'trust_not_found',
  });
  await remove(bot, 'deploy', { id: next.trust_id });
});

test('deleteTrust keeps a trust wider than the credential', async () => {
  const bot = await machine();
  await create(bot, 'wide');
  await create(bot, 'narrow', { roles: ['billing'] });
  const limits = { roles: ['billing'] };
  await expect(remove(bot, 'wide', { limits })).rejects.toMatchObject({ code: 'forbidden' });
  await remove(bot, 'narrow', { limits });
  await remove(bot, 'wide', { limits: { expires_at: NOON + 1 } });
});

test('a trust whose item was not removed is in no list, and its name is free', async () => {
  const bot = await machine();
  await create(bot, 'deploy', { roles: ['billing'] });
  wire.script((operation) => (operation === 'DeleteItem' ? { status: 400, body: {} } : undefined));
  await remove(bot);
  wire.reset();
  expect(await itemOf(bot)).toMatchObject({ ttl: NOON / 1000 });
  expect((await browseTrusts(table, { username: bot.username })).items).toEqual([]);
  for await (const page of everythingIn(table, ALL_TRUSTS))
    expect((page as { trust_owner: string }[]).map((it) => it.trust_owner)).not.toContain(bot.username);
  await create(bot);
  const item = await itemOf(bot);
  expect(item).not.toHaveProperty('ttl');
  expect(item).not.toHaveProperty('trust_roles');
  expect((await browseTrusts(table, { username: bot.username })).items).toHaveLength(1);
});

test('the removal of the item of a deleted trust spares a new trust with its name', async () => {
  const bot = await machine();
  await create(bot);
  let key: Key | undefined;
  wire.script((operation, input) => {
    if (operation !== 'DeleteItem') return undefined;
    key = (input as { Key: Key }).Key;
    return { status: 400, body: {} };
  });
  await remove(bot);
  wire.reset();
  await create(bot);
  expect(key).toBeDefined();
  clock.time += 1;
  await remove(bot);
  expect(await itemOf(bot)).toBeUndefined();
});

test('browseTrusts lists by machine, filters by issuer, and pages', async () => {
  const bots = [await machine(), await machine()];
  for (const bot of bots) {
    await create(bot, 'b');
    await create(await stored(bot), 'a', { issuer: 'build', subject: 'x' });
  }
  const names = (items: readonly { username: string; trust_name: string }[]) =>
    items
      .filter(({ username }) => bots.some((bot) => bot.username === username))
      .map(({ username, trust_name }) => [username, trust_name]);
  const all = bots
    .map(({ username }) => username)
    .sort()
    .flatMap((username) => [
      [username, 'a'],
      [username, 'b'],
    ]);
  expect(names((await browseTrusts(table, {})).items)).toEqual(all);
  expect(names((await browseTrusts(table, { issuer: 'build' })).items)).toEqual(
    all.filter(([, name]) => name === 'a'),
  );
  const [bot] = bots as [Account, Account];
  const first = await browseTrusts(table, { username: bot.username.toUpperCase(), limit: 1 });
  expect(names(first.items)).toEqual([[bot.username, 'a']]);
  const { next_cursor: cursor } = first;
  expect(names((await browseTrusts(table, { username: bot.username, cursor })).items)).toEqual([
    [bot.username, 'b'],
  ]);
});
