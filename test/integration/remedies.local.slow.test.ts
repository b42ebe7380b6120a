import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { afterAll, expect, test } from 'vitest';
import { readAccount } from '#lib/account/account';
import { openCodeOf } from '#lib/account/open-code';
import type { Account } from '#lib/item/account';
import { parsePrivateKey, signerOf } from '#lib/session/key-version';
import { signSession } from '#lib/session/session-token';
import { type Key, tokenKey, tokenNameKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put } from '#lib/table/write';
import { HOUR_MS } from '#lib/time';
import { hashApiToken } from '#lib/token/secret';
import { REMEDIES, type Remedy, WAY_BACK } from '../../infra/remedies.ts';
import { setAttributes } from '../unit/support/set-attributes.ts';
import { commandsIn } from './articles.ts';
import { json } from './operator.ts';
import { apply, stepsOnPage } from './remedy.ts';
import { type Call, call, newPasswordText, noted, uniqueName } from './service.ts';
import { expectToWork, type Owner, openThefts } from './thefts.ts';
import { ALL_ROLES, type Thief, thiefOn, VICTIMS, type Victims } from './thief.ts';

const thefts = await openThefts();
afterAll(thefts.close);
const { base, data, target, where, command, create, administrator, incident } = thefts;
const { rolesOf, isActive, logIn, redeemed } = thefts;
const THEFTS: Readonly<Record<string, (thief: Thief, owner: Owner) => Promise<Call>>> = thefts.thefts;
type Theft = (typeof THEFTS)[string];

/** Creates tokens in twelve loops, each by one of those before, and returns when they are under way. */
async function makeTokens(thief: Thief, as: Call) {
  const stop = thief.goOn((n) => {
    const held: Call[] = [as, ...thief.tokens.slice(-11).map((token) => ({ token }))];
    return [`token/own/n${n}`, held[n % held.length] as Call];
  });
  await expect.poll(() => thief.tokens.length).toBeGreaterThan(12);
  return stop;
}

test.each([
  ['password', 'password'],
  ['password', 'code'],
  ['session', 'session'],
  ['session', 'passkey by a session'],
  ['passkey', 'passkey'],
  ['token', 'token'],
] as const)(
  'the remedy for a stolen %s (%s) ends all that it made when twelve loops go on',
  async (row, theft) => {
    const owner = await create('owner', 'sys_tokens');
    const { username } = owner;
    const time = new Date().toISOString();
    const thief = thiefOn(base);
    const as = await (THEFTS[theft] as Theft)(thief, owner);
    await thief.makeOwn(as, username);
    await expectToWork(thief);
    const stop = await makeTokens(thief, as);
    const { passwords } = await apply(stepsOnPage(REMEDIES[row].section), incident(thief, time, username));
    await stop();
    expect(await thief.survivors()).toEqual([]);
    expect((await json(['token', 'list', username], undefined, where)).answer).toEqual([]);
    expect(await logIn(username, passwords.get(username) ?? owner.password)).toBe(200);
  },
);

/** The commands of the article, between which the owner uses the code. */
function wayBackOf(username: string) {
  const [code = '', owner, revoke = '', ...others] = commandsIn(
    'infra/admin/incidents.md',
    'An administrator has neither passkey nor password',
  );
  expect([owner?.slice(0, 2), others]).toEqual(['# ', []]);
  const [first, last] = [code, revoke].map((line) => line.replace(/^admin /, '')) as [string, string];
  expect([first, last]).toEqual(WAY_BACK);
  return [first, last].map((text) => text.replace('<account>', username)) as [string, string];
}

test.each([
  ['password', 'password'],
  ['password', 'code'],
  ['session', 'passkey by a session'],
  ['passkey', 'passkey'],
] as const)(
  'the way back of the owner of a stolen %s (%s) ends all that it made when twelve loops go on',
  async (row, theft) => {
    expect(REMEDIES[row].or).toContain(WAY_BACK.join('`, its use by the owner, `'));
    const owner = await create('owner', 'sys_tokens');
    const { username } = owner;
    const thief = thiefOn(base);
    const as = await (THEFTS[theft] as Theft)(thief, owner);
    // The first passkey of a thief who knows the password, or has a code.
    if (thief.devices.length === 0) await thief.enrol(as.jwt as string);
    await thief.makeOwn(as, username);
    await expectToWork(thief);
    const stop = await makeTokens(thief, as);
    const [code, revoke] = wayBackOf(username);
    const own = await redeemed(username, await command(code));
    await command(`${revoke} --yes`);
    await stop();
    expect(await thief.survivors()).toEqual([]);
    // The owner enrols a first passkey again.
    await thiefOn(base).enrol(own.jwt);
  },
);

test('an administrator evicts a thief by a code that ends passkeys, or by a reactivation', async () => {
  const root = { jwt: await thiefOn(base).logIn(...(await administrator())) };
  const asRoot = async (path: string, json?: object) => {
    const { status, text, body } = await call('POST', `/api/core/${path}`, { base, ...root, json });
    expect(status, `${path}: ${text}`).toBe(200);
    return body.data;
  };
  for (const way of ['code', 'reactivate']) {
    const owner = await create('owner');
    const { username, password } = owner;
    const thief = thiefOn(base);
    await thief.enrol(await thief.logIn(username, password));
    if (way === 'code') {
      thief.passwords.push([username, password]);
      const { code } = await asRoot(`account/code/${username}`, { end_passkeys: true });
      await redeemed(username, noted(code));
    } else {
      await asRoot(`account/cancel/${username}`);
      const answer = await asRoot(`account/reactivate/${username}`, {
        revoke_tokens: true,
        end_passkeys: true,
      });
      expect(answer.passkeys_ended).toBe(1);
    }
    expect(await thief.survivors(), way).toEqual([]);
  }
});

test('the command to reactivate ends the passkeys of a thief', async () => {
  const owner = await create('owner');
  const thief = thiefOn(base);
  await thief.enrol(await thief.logIn(owner.username, owner.password));
  await command(`account cancel ${owner.username} --yes`);
  await command(`account reactivate ${owner.username} --revoke-tokens --end-passkeys`);
  expect(await thief.survivors()).toEqual([]);
  expect(await logIn(owner.username, owner.password)).toBe(200);
});

test('the remedy for a password ends a stolen code that is not yet used', async () => {
  const { username } = await create('owner');
  const thief = thiefOn(base);
  thief.codes.set(username, await command(`account code ${username}`));
  await apply(stepsOnPage('account'), incident(thief, new Date().toISOString(), username));
  expect(await thief.survivors()).toEqual([]);
});

test('the remedy for the token of an authorizer ends its rotated secrets and their sessions', async () => {
  const owner = await create('gateway', 'sys_introspection');
  const { username } = owner;
  const thief = thiefOn(base);
  const as = await (THEFTS['token'] as Theft)(thief, owner);
  await thief.rotate(as, 'laptop', username);
  await expectToWork(thief);
  const introspect = { base, ...as, form: { token: owner.token } };
  expect((await call('POST', '/api/core/oauth/introspect', introspect)).status).toBe(200);
  await apply(stepsOnPage('token'), incident(thief, new Date().toISOString(), username));
  expect(await thief.survivors()).toEqual([]);
});

/** Creates the accounts of others; their passwords are those of the owners. */
async function createVictims() {
  const all: Record<string, Owner> = {};
  for (const kind of VICTIMS) all[kind] = await create(kind, 'sys_tokens');
  const names = Object.fromEntries(VICTIMS.map((kind) => [kind, all[kind]?.username])) as Victims;
  return { all: Object.values(all), names };
}

/** Only what the row names as remaining is left, and the owners have their accounts as they were. */
async function expectAllToEnd(
  thief: Thief,
  { named, created, passwords }: Awaited<ReturnType<typeof apply>>,
  owners: readonly (readonly [owner: Owner, roles: readonly string[]])[],
) {
  expect(await thief.survivors()).toEqual([]);
  for (const username of created) expect(await isActive(username), username).toBe(false);
  for (const [{ username, password }, roles] of owners) {
    expect(named, 'accounts that were found').toContain(username);
    expect(await rolesOf(username), username).toEqual(roles);
    expect(await logIn(username, passwords.get(username) ?? password), username).toBe(200);
  }
}

/** Steals from an administrator and makes everything; then the remedy runs. */
async function robAdministrator(
  theft: Theft,
  goOn: (thief: Thief, username: string, made: Call) => () => unknown,
) {
  const owner = await create('root', ...ALL_ROLES);
  const { all, names } = await createVictims();
  const time = new Date().toISOString();
  const thief = thiefOn(base);
  const as = await thief.makeOwn(await theft(thief, owner), owner.username);
  const { made, session } = await thief.makeForOthers(as, owner.username, names);
  await expectToWork(thief);
  const stop = goOn(thief, owner.username, session);
  const found = await apply(stepsOnPage('administrator'), incident(thief, time, owner.username));
  await stop();
  expect(found.created).toHaveLength(2);
  expect(found.created).toContain(made);
  await expectAllToEnd(thief, found, [[owner, ALL_ROLES], ...all.map((it) => [it, ['sys_tokens']] as const)]);
}

test.each(['password', 'token'])(
  'the remedy for an administrator’s %s ends all that it made, also by accounts that it made',
  (theft) => robAdministrator(THEFTS[theft] as Theft, () => () => undefined),
);

test('the remedy for an administrator’s session wins when an account of the thief unlocks it in twelve loops', () =>
  robAdministrator(thefts.thefts.session, (thief, username, made) =>
    thief.goOn(() => [`account/unlock/${username}`, made]),
  ));

/** Sessions of an account, signed with each private key of the secret. */
async function forge(username: string): Promise<string[]> {
  const { runtime } = target;
  const account = await readAccount(runtime.table, username);
  if (!account) throw new Error(`There is no ${username}`);
  const { id: sub, username: name, stamp: sst } = account;
  const secrets = JSON.parse(await readFile(join(data, 'secrets.json'), 'utf8'));
  const versions = Object.values<{ text: string }>(secrets['signing-key'].versions);
  const signers = versions.flatMap(({ text }) => parsePrivateKey(text) ?? []).map(signerOf);
  const issuedAt = Math.floor(Date.now() / 1000);
  return Promise.all(
    signers.map(async (signer) =>
      noted(await signSession(runtime, signer, { sub, name, sst }, issuedAt, HOUR_MS / 1000)),
    ),
  );
}

test('the remedy for the credentials of administrators ends forged sessions, and all that they and commands made', async () => {
  const owner = await create('root', ...ALL_ROLES);
  const { all, names } = await createVictims();
  const [idle, handed] = [await create('idle'), await create('handed', 'sys_tokens')];
  await command('keys rotate --wait');
  const time = new Date().toISOString();
  const thief = thiefOn(base);
  const forged = await forge(owner.username);
  expect(forged.length).toBeGreaterThanOrEqual(2);
  thief.sessions.push(...forged, ...(await forge(idle.username)));
  const as = { jwt: forged[0] as string };
  await thief.makeOwn(as, owner.username);
  await thief.makeForOthers(as, owner.username, names);
  const [mallory, password] = [uniqueName('mallory'), newPasswordText()];
  await command(`account create ${mallory} --role sys_administrator --password-stdin`, password);
  await thief.logIn(mallory, password);
  thief.passwords.push([mallory, password]);
  thief.tokens.push(await command(`token create handed ${handed.username}`));
  await command(`account add ${handed.username} --role sys_administrator`);
  thief.codes.set(handed.username, await command(`account code ${handed.username}`));
  await expectToWork(thief);
  const found = await apply(stepsOnPage('key'), incident(thief, time));
  expect(found.created).toHaveLength(3);
  await expectAllToEnd(thief, found, [
    [owner, ALL_ROLES],
    ...[...all, handed].map((it) => [it, ['sys_tokens']] as const),
  ]);
});

test('the remedy for the table ends one-time codes, and the passwords that were found', async () => {
  const [owner, coded] = [await create('owner', 'sys_tokens'), await create('coded')];
  const thief = thiefOn(base);
  thief.codes.set(coded.username, await command(`account code ${coded.username}`));
  thief.passwords.push([owner.username, owner.password]);
  await thief.makeOwn({ jwt: await thief.logIn(owner.username, owner.password) }, owner.username);
  await expectToWork(thief);
  await apply(stepsOnPage('table'), incident(thief, new Date().toISOString(), owner.username));
  expect(await thief.survivors()).toEqual([]);
  expect(await logIn(coded.username, coded.password), 'other passwords stay').toBe(200);
});

test('the remedy for the credentials of support ends codes, and unlocks the accounts that it locked', async () => {
  const [locked, coded] = [await create('locked'), await create('coded')];
  const thief = thiefOn(base);
  thief.codes.set(coded.username, await command(`account code ${coded.username}`));
  const time = new Date().toISOString();
  await command(`account lock ${locked.username}`);
  expect(await logIn(locked.username, locked.password)).toBe(401);
  await apply(stepsOnPage('support'), incident(thief, time));
  expect(await thief.survivors()).toEqual([]);
  expect(await logIn(locked.username, locked.password)).toBe(200);
});

/**
 * Ends all that a thief has of an account; then writes the former values back, as whoever may write them can.
 *
 * @returns the account, and the thief, whose sessions, token and code work again
 */
async function revive() {
  const [owner, maker] = [await create('owner', 'sys_tokens'), await create('maker', ...ALL_ROLES)];
  const { username, password, token } = owner;
  const { runtime } = target;
  const { table } = runtime;
  const thief = thiefOn(base);
  const ended = await thief.logIn(username, password);
  await thief.logIn('api', token);
  await thief.logIn(username, password);
  thief.tokens.push(token);
  const jwt = await thief.logIn(maker.username, maker.password);
  await thief.make(`account/code/${username}`, { jwt, json: { hours: 72 } });
  const before = await Promise.all([owner, maker].map((of) => readAccount(table, of.username)));
  const [ofOwner, ofMaker] = before as [Account, Account];
  const keys: Key<object>[] = [tokenKey(hashApiToken(token)), tokenNameKey(username, 'laptop')];
  const items = await Promise.all(keys.map((key) => get(table, key)));

  await thief.make(`account/sessions/end/${decodeJwt(ended).jti}`, { jwt: ended });
  for (const of of [owner, maker]) await command(`account reset-stamp ${of.username}`);
  await command(`token revoke --all ${username} --yes`);
  expect(await thief.survivors()).toEqual([]);

  // As if the removal of the items had been cut off.
  for (const [n, key] of keys.entries()) await put(table, key, items[n] as object);
  for (const { username: name, stamp, ended, token_generation, token_count, code_generation } of [
    ofOwner,
    ofMaker,
  ])
    await setAttributes(table, { username: name } as Account, {
      ...{ stamp, token_count },
      ...({ ended, token_generation, code_generation } as Partial<Account>),
    });
  await expectToWork(thief);
  expect((await openCodeOf(runtime, ofOwner)).code_created_by).toBe(maker.username);
  return { thief, owner };
}

test.each(['support', 'role'] as const)(
  'the remedy for a stolen %s ends what former values of accounts have revived',
  async (row) => {
    const time = new Date().toISOString();
    const { thief, owner } = await revive();
    await apply(stepsOnPage(REMEDIES[row].section), incident(thief, time));
    expect(await thief.survivors()).toEqual([]);
    expect(await logIn(owner.username, owner.password)).toBe(200);
  },
);

test('each remedy is tested, or says why it is not', () => {
  const here =
    'password session passkey token authorizer administrator key administrators table support role';
  const ofMachines = 'platform issuer';
  const ofServices = 'resourceToken resourceKey';
  const tested = `${here} ${ofMachines} ${ofServices}`.split(' ');
  const rest = Object.entries<Remedy>(REMEDIES).filter(([, { untested }]) => untested === undefined);
  expect(rest.map(([name]) => name).sort()).toEqual(tested.sort());
});
