import { setTimeout as sleep } from 'node:timers/promises';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { openTarget } from '../../infra/admin/target.ts';
import { newFolder } from '../unit/support/folder.ts';
import { startInstance } from './instance-process.ts';
import { json } from './operator.ts';
import { publishEarlier } from './publish-earlier.ts';
import { call, noted } from './service.ts';

const password = noted('the-administrator-of-the-keys');

const kidOf = (jwt: string) => decodeProtectedHeader(jwt).kid as string;

/**
 * An instance of its own: a revocation ends the sessions of all accounts. Logins in parallel start several execution
 * environments, and one of them may hold the key before the last rotation for five minutes.
 */
async function openKeys(env: Readonly<Record<string, string>> = {}) {
  const data = newFolder();
  const { ready } = await startInstance({ data, env: { ADMIN_PASSWORD: password, ...env } });
  const base = ready.url;
  const token = noted(ready.admin.token as string);
  const { table } = (await openTarget({ data })).runtime;
  const keys = (...args: string[]) => json(['keys', ...args], undefined, ['--data', data]);
  const statusOf = async (jwt: string) => (await call('GET', '/api/core/system/ping', { base, jwt })).status;
  const tryLogIn = (username: string, secret: string) =>
    call('POST', '/api/core/account/login', { base, json: { username, password: secret } });
  async function logIn(): Promise<string> {
    const reply = await tryLogIn('api', token);
    expect(reply.status, reply.text).toBe(200);
    return noted(reply.body.data.JWTtoken);
  }
  return {
    base,
    token,
    keys,
    statusOf,
    tryLogIn,
    logIn,
    statusesOf: (...sessions: string[]) => Promise.all(sessions.map(statusOf)),
    jwks: async () => {
      const { text } = await call('GET', '/api/core/system/jwks', { base });
      return JSON.parse(text) as JSONWebKeySet;
    },
    /** Rotates so that the new key signs at once; resolves to its id and a session by it. */
    rotateAndLogIn: async () => {
      const { code, answer } = await keys('rotate', '--wait');
      expect(code).toBe(0);
      await publishEarlier(table, answer.kid);
      await expect.poll(async () => kidOf(await logIn()), { interval: 500 }).toBe(answer.kid);
      return { kid: answer.kid as string, jwt: await logIn() };
    },
  };
}

test('none of 2,000 requests and logins is refused during two rotations', async () => {
  const { token, logIn, tryLogIn, statusOf, rotateAndLogIn } = await openKeys();
  const sessions = [await logIn()];
  const statuses: number[] = [];
  let rotating = true;
  const client = async (connection: number) => {
    // Two rotations take ten seconds: with a shorter pause, thousands more would be sent.
    for (let n = connection; rotating || statuses.length < 2000; n++, await sleep(60)) {
      if (n % 20 === 0) {
        const reply = await (n % 200 === 0 ? tryLogIn('admin', password) : tryLogIn('api', token));
        statuses.push(reply.status);
        if (reply.status === 200) sessions.push(noted(reply.body.data.JWTtoken));
      } else {
        // Every other one is the newest.
        statuses.push(await statusOf(sessions.at(n % 2 === 0 ? -1 : n % sessions.length) as string));
      }
    }
  };
  const clients = Promise.all(Array.from({ length: 8 }, (_, connection) => client(connection)));
  try {
    for (const _ of [1, 2]) {
      const { kid } = await rotateAndLogIn();
      await expect.poll(() => sessions.map(kidOf)).toContain(kid);
    }
  } finally {
    rotating = false;
    await clients;
  }
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(new Set(sessions.map(kidOf)).size).toBeGreaterThanOrEqual(3);
});

test('keys revoke ends a key and its sessions at once, and login continues with another', async () => {
  const { keys, logIn, jwks, rotateAndLogIn, statusesOf } = await openKeys();
  const old = await logIn();
  const { jwt: leaked } = await rotateAndLogIn();
  expect(await statusesOf(old, leaked)).toEqual([200, 200]);
  await expect(jwtVerify(leaked, createLocalJWKSet(await jwks()))).resolves.toBeTruthy();
  const { code, answer } = await keys('revoke', kidOf(leaked));
  const [version, revoked_at] = [expect.any(String), expect.stringMatching(/Z$/)];
  expect({ code, answer }).toEqual({ code: 0, answer: { kid: kidOf(leaked), revoked_at, version } });
  const next = await logIn();
  expect(await statusesOf(leaked, old, next)).toEqual([401, 200, 200]);
  expect((await jwks()).keys.map(({ kid }) => kid)).not.toContain(kidOf(leaked));
  expect(kidOf(next), 'the key before signs on').toBe(kidOf(old));

  expect((await keys('revoke', kidOf(old))).answer.version, 'it is not the current one').toBeNull();
  const last = await logIn();
  expect(await statusesOf(old, next, last)).toEqual([401, 401, 200]);
});

test('keys rotate --resources creates a successor, and keys revoke lets it sign at once', async () => {
  const audience = 'https://orders.example.com';
  const { base, token, keys } = await openKeys({ Settings__Resources: JSON.stringify([{ audience }]) });
  const issue = async () => {
    const form = {
      grant_type: 'client_credentials',
      client_id: 'any',
      client_secret: token,
      resource: audience,
    };
    const response = await fetch(`${base}/api/core/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    expect(response.status).toBe(200);
    return noted(((await response.json()) as { access_token: string }).access_token);
  };
  const published = async () =>
    (await fetch(`${base}/.well-known/jwks.json`).then((response) => response.json())) as JSONWebKeySet;
  const statesOf = async () => {
    const { answer } = await keys('list');
    const all = (answer as Record<string, string>[]).filter(({ signs }) => signs === 'resources');
    return Object.fromEntries(all.map(({ kid, state }) => [kid, state]));
  };
  const old = await issue();
  expect(Object.values(await statesOf()).sort()).toEqual(['published', 'signs']);

  const rotated = await keys('rotate', '--resources', '--wait');
  expect(rotated).toMatchObject({ code: 0, answer: { done: true } });
  const next = rotated.answer.kid as string;
  expect(kidOf(await issue()), 'gateways do not know the successor').toBe(kidOf(old));
  expect(await statesOf()).toMatchObject({ [kidOf(old)]: 'signs', [next]: 'published' });

  const revoked = await keys('revoke', kidOf(old));
  expect(revoked).toMatchObject({ code: 0, answer: { kid: kidOf(old), version: expect.any(String) } });
  await expect.poll(async () => kidOf(await issue()), { timeout: 15_000, interval: 500 }).toBe(next);
  expect(await statesOf()).toMatchObject({ [kidOf(old)]: 'revoked', [next]: 'signs' });
  const set = await published();
  expect(set.keys.map(({ kid }) => kid)).not.toContain(kidOf(old));
  for (const key of set.keys) expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  await expect(jwtVerify(await issue(), createLocalJWKSet(set), { audience })).resolves.toBeTruthy();
});
