import { expect, test } from 'vitest';
import { startIssuer } from '#infra/local/issuer/start-issuer';
import { createClient } from '#lib/client/index';
import { newFolder } from '../unit/support/folder.ts';
import { startInstance } from './instance-process.ts';
import { administratorOf } from './machine.ts';
import { call, noted } from './service.ts';

const { issuerOf, github } = await startIssuer();
const issuer = issuerOf('github');
// Keys that are fetched come in time only on a machine that is not busy.
const settings = [{ name: 'github', issuer: issuer.url, platform: 'github', jwks: await issuer.keySet() }];
const instance = await startInstance({
  data: newFolder(),
  args: ['--memory', '--no-demo'],
  env: { Settings__Issuers: JSON.stringify(settings) },
});
const { url } = instance.ready;
const audience = new URL(url).origin;
const { post, createMachine } = administratorOf(instance);

/** What `core.getIDToken(audience)` does in a job of a workflow. */
async function tokenOfJob(): Promise<string> {
  const { ACTIONS_ID_TOKEN_REQUEST_URL, ACTIONS_ID_TOKEN_REQUEST_TOKEN } = github;
  const answer = await fetch(`${ACTIONS_ID_TOKEN_REQUEST_URL}&audience=${encodeURIComponent(audience)}`, {
    headers: { authorization: `Bearer ${ACTIONS_ID_TOKEN_REQUEST_TOKEN}` },
  });
  return noted(((await answer.json()) as { value: string }).value);
}

test('a workflow signs in as its machine until its trust is deleted, with the trust of the same name created again', async () => {
  await createMachine('shop-ci', ['deploy']);
  const trust = {
    issuer: 'github',
    subject: 'repo:acme@65/shop@74:ref:refs/heads/main',
    claims: { repository_id: '74' },
  };
  await post('trust/create/deploy/shop-ci', trust);

  const sessions: string[] = [];
  let exchanges = 0;
  const client = createClient({
    url,
    credential: {
      identity: {
        trust: 'deploy@shop-ci',
        token: () => {
          exchanges++;
          return tokenOfJob();
        },
      },
    },
    fetch: async (input, init) => {
      const { authorization } = (init?.headers ?? {}) as Record<string, string>;
      if (authorization) sessions.push(noted(authorization.replace('Bearer ', '')));
      return fetch(input, init);
    },
  });
  const profiles = await Promise.all([client.account.profile(), client.account.profile()]);
  expect(profiles.map(({ user }) => user.username)).toEqual(['shop-ci', 'shop-ci']);
  expect([exchanges, new Set(sessions).size]).toEqual([1, 1]);
  const [session = ''] = sessions;
  expect((await call('GET', '/api/core/account/profile', { jwt: session, base: url })).status).toBe(200);

  await post('trust/delete/deploy/shop-ci');
  expect((await call('GET', '/api/core/account/profile', { jwt: session, base: url })).status).toBe(401);
  await expect(client.account.profile()).rejects.toMatchObject({
    operation: 'oauth.token',
    code: 'invalid_grant',
  });

  await post('trust/create/deploy/shop-ci', trust);
  expect((await call('GET', '/api/core/account/profile', { jwt: session, base: url })).status).toBe(401);
  expect((await client.account.profile()).user.username).toBe('shop-ci');
  expect(exchanges).toBe(3);
});
