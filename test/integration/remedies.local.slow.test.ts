import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAccount } from '#lib/account/account';
import { parsePrivateKey, signerOf } from '#lib/session/key-version';
import { signSession } from '#lib/session/session-token';
import { HOUR_MS } from '#lib/time';
import { openTarget, type Target } from '../../infra/admin/target.ts';
import { REMEDIES, type Remedy } from '../../infra/remedies.ts';
import { newFolder } from '../unit/support/folder.ts';
import { type InstanceProcess, startInstance } from './instance-process.ts';
import { json, run } from './operator.ts';
import { apply } from './remedy.ts';
import { type Call, call, newPasswordText, noted, uniqueName } from './service.ts';
import { ALL_ROLES, type Thief, thiefOn, VICTIMS, type Victims } from './thief.ts';

/** Remedies are for an instance: some end the credentials of all accounts. */
let instance: InstanceProcess;
let base: string;
let where: readonly string[];
let target: Target;

beforeAll(async () => {
  const data = newFolder();
  instance = await startInstance({ data });
  base = instance.ready.url;
  where = ['--data', data];
  target = await openTarget({ data });
});
afterAll(() => target.runtime.table.client.destroy());

/** Runs an operator command; resolves to the secret that it prints. */
async function command(text: string, input = ''): Promise<string> {
  const { code, stdout, stderr } = await run(text.split(' '), input, where);
  expect(code, `${text}: ${stderr}`).toBe(0);
  return noted(stdout.trim());
}

/** Creates an account with a password and a token `laptop`. */
async function create(kind: string, ...roles: readonly string[]) {
  const [username, password] = [uniqueName(kind), newPasswordText()];
  const options = roles.map((role) => ` --role ${role}`).join('');
  await command(`account create ${username}${options} --password-stdin`, password);
  return { username, password, token: await command(`token create laptop ${username}`) };
}
type Owner = Awaited<ReturnType<typeof create>>;

/** The credential of a thief after it has stolen something of an account. */
type Theft = (thief: Thief, owner: Owner) => Promise<Call>;

const session: Theft = async (thief, { username, password }) => ({
  jwt: await thief.logIn(username, password),
});
const THEFTS: Readonly<Record<string, Theft>> = {
  password: async (thief, owner) => {
    const { username, password: current_password } = owner;
    const new_password = newPasswordText();
    const body = { current_password, new_password };
    const { JWTtoken: jwt } = await thief.make('account/password', {
      ...(await session(thief, owner)),
      json: body,
    });
    thief.sessions.shift();
    thief.passwords.push([username, current_password], [username, new_password]);
    return { jwt };
  },
  code: async (thief, { username }) => ({
    jwt: await thief.redeem(username, await command(`account code ${username}`)),
  }),
  session,
  'passkey by a session': async (thief, owner) => {
    const { jwt = '' } = await session(thief, owner);
    await thief.enrol(jwt);
    return { jwt };
  },
  passkey: async (thief, owner) => {
    const { jwt = '' } = await session(thief, owner);
    return thief.enrol(jwt);
  },
  token: async (thief, { token }) => {
    thief.tokens.push(token);
    return { token };
  },
};

const rolesOf = async (username: string) => (await readAccount(target.runtime.table, username))?.roles;
const isActive = async (username: string) => (await readAccount(target.runtime.table, username))?.isactive;
const logIn = async (username: string, password: string) =>
  (await call('POST', '/api/core/account/login', { base, json: { username, password } })).status;

/** The audit log of an instance has the entry of an answer a moment after it. */
const settled = (thief: Thief) => async () => {
  const logged = async () => readFile(join(instance.data, 'audit.jsonl'), 'utf8');
  await expect
    .poll(async () => {
      const log = await logged();
      return [...thief.requests].filter((id) => !log.includes(id));
    })
    .toEqual([]);
};

const incident = (thief: Thief, time: string, ...accounts: readonly string[]) => ({
  ...{ accounts, time, settled: settled(thief) },
  run: (words: readonly string[], input: string) => run(words, input, where),
  newPassword: newPasswordText,
});

/** Everything that was stolen and made works before the remedy, so its end is that of the remedy. */
const expectToWork = async (thief: Thief) =>
  expect(new Set(await thief.statuses()), 'statuses before the remedy').toEqual(new Set([200]));

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
    const stop = thief.goOn((n) => {
      const held: Call[] = [as, ...thief.tokens.slice(-11).map((token) => ({ token }))];
      return [`token/own/n${n}`, held[n % held.length] as Call];
    });
    await expect.poll(() => thief.tokens.length).toBeGreaterThan(12);
    const { passwords } = await apply(REMEDIES[row], incident(thief, time, username));
    await stop();
    expect(await thief.survivors()).toEqual([]);
    expect((await json(['token', 'list', username], undefined, where)).answer).toEqual([]);
    expect(await logIn(username, passwords.get(username) ?? owner.password)).toBe(200);
  },
);

test('the remedy for a password ends a stolen code that is not yet used', async () => {
  const { username } = await create('owner');
  const thief = thiefOn(base);
  thief.codes.set(username, await command(`account code ${username}`));
  await apply(REMEDIES.password, incident(thief, new Date().toISOString(), username));
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
  await apply(REMEDIES.authorizer, incident(thief, new Date().toISOString(), username));
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
  const found = await apply(REMEDIES.administrator, incident(thief, time, owner.username));
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
  robAdministrator(session, (thief, username, made) =>
    thief.goOn(() => [`account/unlock/${username}`, made]),
  ));

/** Sessions of an account, signed with each private key of the secret. */
async function forge(username: string): Promise<string[]> {
  const { runtime } = target;
  const account = await readAccount(runtime.table, username);
  if (!account) throw new Error(`There is no ${username}`);
  const { id: sub, username: name, stamp: sst } = account;
  const secrets = JSON.parse(await readFile(join(instance.data, 'secrets.json'), 'utf8'));
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
  const found = await apply(REMEDIES.administrators, incident(thief, time));
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
  await apply(REMEDIES.table, incident(thief, new Date().toISOString(), owner.username));
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
  await apply(REMEDIES.support, incident(thief, time));
  expect(await thief.survivors()).toEqual([]);
  expect(await logIn(locked.username, locked.password)).toBe(200);
});

test('each remedy is tested, or says why it is not', () => {
  const tested =
    'password session passkey token authorizer administrator key administrators table support'.split(' ');
  const rest = Object.entries<Remedy>(REMEDIES).filter(([, { untested }]) => untested === undefined);
  expect(rest.map(([name]) => name).sort()).toEqual(tested.sort());
});
