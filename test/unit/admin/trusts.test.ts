import { importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { authenticator } from '#lib/auth/authenticate';
import type { Account } from '#lib/item/account';
import { GRANT_TYPES } from '#lib/oauth/grant-types';
import { grantToken } from '#lib/oauth/token';
import { cachedPublicKeys } from '#lib/session/public-keys';
import { commandsIn } from '../../integration/articles.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import { newKeyPair, publishKey } from '../support/signing-keys.ts';
import { openInstance } from './operator.ts';

const PAGE = 'infra/admin/stolen-machines.md';
const AUDIENCE = 'https://accounts.example.com';
const pair = await newKeyPair();
const issuers = ['ci', 'other'].map((name) => ({
  name,
  issuer: `https://${name}.example.com`,
  jwks: { keys: [pair.publicJwk] },
}));
const it = await openInstance({ Issuers: JSON.stringify(issuers), Issuer: AUDIENCE });
const { runtime, table, stored } = it;
const key = await publishKey(table);
const privateKey = await importJWK(pair.privateJwk as JWK, 'ES256');
const authenticate = authenticator(runtime, 0);

const machine = () => it.account({ kind: 'machine', roles: ['deploys'] });
const run = async (command: string) => {
  const result = await it.run(command.split(' '));
  return { ...result, output: result.stdout + result.stderr };
};

const tokenOf = (claims: JWTPayload = {}, name = 'ci', at = runtime.now()) => {
  const now = Math.floor(at / 1000);
  const all = {
    iss: `https://${name}.example.com`,
    sub: 'job:main',
    aud: AUDIENCE,
    iat: now,
    exp: now + 300,
  };
  return new SignJWT({ ...all, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: pair.publicJwk.kid })
    .sign(privateKey);
};

async function signIn(of: Account, trust = 'deploy', name = 'ci') {
  const client_id = `${trust}@${of.username}`;
  const body = { grant_type: GRANT_TYPES.assertion, client_id, assertion: await tokenOf({}, name) };
  const publicKeys = cachedPublicKeys(runtime.table, runtime.now);
  const granting = { ...runtime, publicKeys, signingKey: async () => key, resourceKey: async () => key };
  const { data } = await grantToken(granting, body, gatewayEvent({ method: 'POST' }));
  return { kind: 'jwt', value: data.access_token, address: undefined } as const;
}

/** The commands of a part of the page, with values in place of the names in angle brackets. */
const onPage = (heading: string, values: Readonly<Record<string, string>>) =>
  commandsIn(PAGE, heading)
    .filter((line) => line.startsWith('admin '))
    .map((line) =>
      line.replace(/^admin /, '').replace(/<(\w+)>/g, (_, name: string) => values[name] as string),
    );

async function enter(commands: readonly string[]) {
  for (const command of commands) expect(await run(command), command).toMatchObject({ code: 0 });
}

test('trust create, list and delete do what their endpoints do', async () => {
  const bot = await machine();
  const create = `trust create deploy ${bot.username} --issuer ci --subject job:main`;
  const limits =
    '--claim n=1 --claim k={"a":"b"} --role deploys --read-only --address 192.0.2.0/24 --minutes 5';
  expect(await run(`${create} ${limits}`)).toMatchObject({ code: 0 });
  const { stdout } = await run(`trust list ${bot.username} --json`);
  expect(JSON.parse(stdout)).toMatchObject([
    {
      trust_name: 'deploy',
      claims: { n: 1, k: { a: 'b' } },
      roles: ['deploys'],
      access: 'read',
      addresses: ['192.0.2.0/24'],
      max_minutes: 5,
    },
  ]);
  expect((await run(`trust list ${bot.username} --issuer other`)).output).toContain('(none)');
  expect(await run(create)).toMatchObject({ code: 1, stderr: expect.stringContaining('trust_exists') });
  await enter([`trust delete deploy ${bot.username}`]);
  expect((await stored(bot)).trusts).toBeUndefined();
});

test.each([
  ['--claim n', /<name>=<JSON>/],
  ['--claim n=text', /a text has quotes/],
  ['--minutes 61', /max_minutes/],
  ['--issuer nobody', /ci, other/],
])('trust create names the fault of %s', async (option, message) => {
  const bot = await machine();
  const { code, stderr } = await run(`trust create x ${bot.username} --issuer ci --subject a ${option}`);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(message);
});

test.each(['', 'deploy', 'deploy ada --issuer ci'])(
  'trust delete refuses the arguments "%s"',
  async (args) => {
    expect(await run(`trust delete ${args}`.trim())).toMatchObject({ code: 2 });
  },
);

test('trust try names the trust that accepts a token, else each mismatch', async () => {
  const bot = await machine();
  await enter([`trust create try ${bot.username} --issuer ci --subject job:try --claim n=1`]);
  const name = `try@${bot.username}`;
  // The clock of the runtime stands still, that of commands does not.
  const tried = async (claims: JWTPayload) =>
    run(`trust try ${it.fileOf('token.jwt', await tokenOf(claims, 'ci', Date.now()))} --json`);
  const good = await tried({ sub: 'job:try', n: 1 });
  expect(JSON.parse(good.stdout)).toMatchObject({ accepted_by: [name], signature_checked: true, faults: [] });
  const bad = await tried({ sub: 'job:other', n: '1', aud: 'x' });
  expect(bad.code).toBe(1);
  const { faults, trusts, accepted_by } = JSON.parse(bad.stdout);
  expect(accepted_by).toEqual([]);
  expect(faults).toMatchObject([{ cause: 'wrong_audience', at: 'aud' }]);
  expect(trusts.find(({ trust }: { trust: string }) => trust === name).faults).toEqual([
    { cause: 'wrong_subject', at: 'sub', expected: 'job:try', found: '"job:other"' },
    { cause: 'wrong_claim', at: 'n', expected: '1', found: '"1"' },
  ]);
  expect((await tried({ iss: 'https://nobody.example.com' })).stderr).toContain('https://ci.example.com');
  expect((await run(`trust try ${it.fileOf('token.jwt', 'no token')}`)).stderr).toMatch(/no JWT/);
});

test('the page ends the sessions of a stolen token of a platform, and no new trust revives them', async () => {
  const bot = await machine();
  const create = `trust create deploy ${bot.username} --issuer ci --subject job:main`;
  await enter([create]);
  const stolen = await signIn(bot);
  await authenticate(stolen);
  await enter(onPage('A token of a platform, or a session', { machine: bot.username, trust: 'deploy' }));
  await expect(signIn(bot)).rejects.toMatchObject({ cause: 'unknown_trust' });
  await enter([create]);
  await expect(authenticate(stolen)).rejects.toMatchObject({ cause: 'trust_removed' });
  const next = await signIn(bot);
  await enter(onPage('Only the sessions of a machine', { machine: bot.username }));
  await expect(authenticate(next)).rejects.toMatchObject({ cause: 'token_revoked' });
  await authenticate(await signIn(bot));
});

test('the page ends all trusts of a compromised issuer, and no others', async () => {
  const bots = [await machine(), await machine()] as const;
  for (const bot of bots)
    await enter(
      ['ci', 'other'].map(
        (name) => `trust create ${name} ${bot.username} --issuer ${name} --subject job:main`,
      ),
    );
  const sessions = await Promise.all(bots.map((bot) => signIn(bot, 'ci')));
  const kept = await signIn(bots[0], 'other', 'other');
  await enter(onPage('An issuer', { issuer: 'ci' }));
  for (const session of sessions)
    await expect(authenticate(session)).rejects.toMatchObject({ cause: 'trust_removed' });
  await authenticate(kept);
  expect((await run('trust list --issuer ci')).output).toContain('(none)');
});

test('trust delete ends the trusts that an account has created since a time', async () => {
  const bot = await machine();
  await enter([`trust create mine ${bot.username} --issuer other --subject job:main`]);
  await enter(['trust delete --created-by somebody --created-since 1h --yes']);
  expect((await stored(bot)).trusts).toHaveProperty('mine');
  const [{ created_by }] = JSON.parse((await run(`trust list ${bot.username} --json`)).stdout);
  await enter([`trust delete --created-by ${created_by} --created-since 2100-01-01 --yes`]);
  expect((await stored(bot)).trusts).toHaveProperty('mine');
  await enter([`trust delete --created-by ${created_by} --created-since 2000-01-01 --yes`]);
  expect((await stored(bot)).trusts).toBeUndefined();
});
