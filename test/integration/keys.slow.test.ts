import { randomUUID } from 'node:crypto';
import { PutSecretValueCommand, RotateSecretCommand } from '@aws-sdk/client-secrets-manager';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { openSecrets } from '#lib/session/signing-key';
import { allPublicKeys, publicKeyItemKey } from '#lib/table/keys';
import { query } from '#lib/table/read';
import { put, remove } from '#lib/table/write';
import { openTarget, type Target } from '../../infra/admin/target.ts';
import { newFolder } from './folder.ts';
import { startInstance } from './instance-process.ts';
import { json, run } from './operator.ts';
import { publishEarlier } from './publish-earlier.ts';
import { call, noted } from './service.ts';

/** An instance of its own, as a revocation ends the sessions of all. */
const password = noted('the-administrator-of-the-keys');
let base: string;
let data: string;
let token: string;
let target: Target;
beforeAll(async () => {
  data = await newFolder();
  const { ready } = await startInstance({
    data,
    env: { ADMIN_PASSWORD: password, Settings__BcryptCost: '10' },
  });
  base = ready.url;
  token = noted(ready.admin.token as string);
  target = await openTarget({ data });
});

const keys = (...args: string[]) => json(['keys', ...args], undefined, { where: ['--data', data] });
const kidOf = (jwt: string) => decodeProtectedHeader(jwt).kid as string;
const statusOf = async (jwt: string) => (await call('GET', '/api/core/system/ping', { base, jwt })).status;
const jwks = async () => {
  const { headers, text } = await call('GET', '/api/core/system/jwks', { base });
  return { kept: headers.get('cache-control'), set: JSON.parse(text) as JSONWebKeySet };
};
const tryLogIn = (username: string, secret: string) =>
  call('POST', '/api/core/account/login', { base, json: { username, password: secret } });
async function logIn(): Promise<string> {
  const reply = await tryLogIn('api', token);
  expect(reply.status, reply.text).toBe(200);
  return noted(reply.body.data.JWTtoken);
}

/** Has a key sign now; resolves to a session that it has signed. */
async function letSign(kid: string): Promise<string> {
  await publishEarlier(target.runtime.table, kid);
  await expect.poll(async () => kidOf(await logIn())).toBe(kid);
  return logIn();
}

test('a rotation says whether it is done and when its key signs, and a verifier that keeps the keys misses none', async () => {
  const before = await logIn();
  const { set, kept } = await jwks();
  expect(kept).toBe('public, max-age=300');
  const { code, answer } = await keys('rotate', '--wait');
  expect({ code, answer }).toEqual({
    code: 0,
    answer: {
      version: expect.any(String),
      mended: null,
      done: true,
      kid: expect.any(String),
      signs_from: expect.stringMatching(/Z$/),
    },
  });
  expect(Date.parse(answer.signs_from)).toBeGreaterThan(Date.now() + 300_000);
  expect((await jwks()).set.keys.map(({ kid }) => kid)).toContain(answer.kid);

  const after = await logIn();
  await expect(jwtVerify(after, createLocalJWKSet(set))).resolves.toBeTruthy();
  expect(kidOf(after)).toBe(kidOf(before));
  const signed = await letSign(answer.kid);
  expect(await Promise.all([before, after, signed].map(statusOf))).toEqual([200, 200, 200]);
});

test('two rotations refuse none of 2,000 requests that are made meanwhile, logins among them', async () => {
  const sessions = [await logIn()];
  const statuses: number[] = [];
  let rotating = true;
  const client = async (connection: number) => {
    for (let n = connection; rotating || statuses.length < 2000; n++) {
      if (n % 20 === 0) {
        const reply = await (n % 200 === 0 ? tryLogIn('admin', password) : tryLogIn('api', token));
        statuses.push(reply.status);
        if (reply.status === 200) sessions.push(noted(reply.body.data.JWTtoken));
      } else {
        // Every other one is the newest.
        const jwt = (n % 2 === 0 ? sessions.at(-1) : sessions[n % sessions.length]) as string;
        statuses.push(await statusOf(jwt));
      }
    }
  };
  const clients = Promise.all(Array.from({ length: 8 }, (_, connection) => client(connection)));
  try {
    for (const _ of [1, 2]) {
      const { kid } = (await keys('rotate', '--wait')).answer;
      await letSign(kid);
      await expect.poll(() => sessions.some((jwt) => kidOf(jwt) === kid), { timeout: 20_000 }).toBe(true);
    }
  } finally {
    rotating = false;
    await clients;
  }
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(new Set(sessions.map(kidOf)).size).toBeGreaterThanOrEqual(3);
});

test('a rotation that got stuck is given up, and another takes its place', async () => {
  const secrets = openSecrets();
  const SecretId = target.signingKey;
  const stuck = randomUUID();
  await secrets.send(
    new PutSecretValueCommand({
      SecretId,
      ClientRequestToken: stuck,
      SecretString: 'cut off',
      VersionStages: ['AWSPENDING'],
    }),
  );
  await expect(secrets.send(new RotateSecretCommand({ SecretId }))).rejects.toMatchObject({
    name: 'InvalidRequestException',
  });
  const { code, answer } = await keys('rotate');
  expect({ code, answer }).toMatchObject({ code: 0, answer: { mended: stuck, done: true } });
  expect((await keys('rotate', '--wait')).answer).toMatchObject({ mended: null, done: true });
});

describe('a revoked key', () => {
  test('ends at once with its sessions, and login goes on with another', async () => {
    const old = await logIn();
    const leaked = await letSign((await keys('rotate', '--wait')).answer.kid);
    expect(await Promise.all([old, leaked].map(statusOf))).toEqual([200, 200]);
    const { code, answer } = await keys('revoke', kidOf(leaked));
    expect({ code, answer }).toEqual({
      code: 0,
      answer: { kid: kidOf(leaked), revoked_at: expect.stringMatching(/Z$/), version: expect.any(String) },
    });
    const next = await logIn();
    expect(await Promise.all([leaked, old, next].map(statusOf))).toEqual([401, 200, 200]);
    expect((await jwks()).set.keys.map(({ kid }) => kid)).not.toContain(kidOf(leaked));
    expect(kidOf(next), 'the key before signs on').toBe(kidOf(old));

    expect((await keys('revoke', kidOf(old))).answer.version, 'it is not the current one').toBeNull();
    const last = await logIn();
    expect(await Promise.all([old, next, last].map(statusOf))).toEqual([401, 401, 200]);
  });

  test.each([
    [['revoke', 'no-such-key'], 1],
    [['revoke', '-no-such-key'], 1],
    [['revoke'], 2],
    [['rotate', '--surprise'], 2],
  ])('is named: %j exits with %i', async (args, status) => {
    const { code, stdout, stderr } = await run(['keys', ...args, '--json'], undefined, {
      where: ['--data', data],
    });
    expect(code).toBe(status);
    expect(stderr).not.toBe('');
    if (status === 1) expect(JSON.parse(stdout)).toMatchObject({ code: 'key_not_found' });
  });
});

test('a set without keys is kept by nobody', async () => {
  const { table } = target.runtime;
  const items = await query(table, allPublicKeys);
  for (const { jwk } of items) await remove(table, publicKeyItemKey(jwk.kid));
  expect(await jwks()).toEqual({ kept: 'no-store', set: { keys: [] } });
  for (const item of items) await put(table, publicKeyItemKey(item.jwk.kid), item);
  expect((await jwks()).set.keys.length).toBeGreaterThan(0);
});
