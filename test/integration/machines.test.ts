import { expect, test } from 'vitest';
import { tokenOfJob } from './issuers.ts';
import { administrator, baseUrl, checkedFetch, clientOf, get, noted, post, uniqueName } from './service.ts';

/** The audience that the service expects, as callers discover it. */
async function audienceOf(): Promise<string> {
  const metadata = await (await checkedFetch(`${baseUrl}/.well-known/oauth-authorization-server`)).json();
  return (metadata as { issuer: string }).issuer;
}

test('a workflow signs in as its machine until its trust is deleted, with the trust of the same name created again', async () => {
  const audience = await audienceOf();
  const { username: owner } = (await administrator.account.profile()).user;
  const username = uniqueName('ci');
  await administrator.account.create({ username, kind: 'machine', owner, roles: ['deploy'] });
  const trust = {
    issuer: 'github',
    subject: 'repo:acme@65/shop@74:ref:refs/heads/main',
    claims: { repository_id: '74' },
  };
  const path = { trust_name: 'deploy', username };
  await administrator.trust.create({ ...path, ...trust });

  const sessions = new Set<string>();
  // No log has what a token tells of people, accepted or refused.
  const user_email = noted(`${uniqueName('person')}@example.com`);
  let exchanges = 0;
  const identity = {
    trust: `deploy@${username}`,
    token: async () => {
      exchanges++;
      return noted(await tokenOfJob(audience, { user_email }));
    },
  };
  const client = clientOf(
    { identity },
    {
      fetch: async (input, init) => {
        const { authorization } = (init?.headers ?? {}) as Record<string, string>;
        if (authorization) sessions.add(noted(authorization.replace('Bearer ', '')));
        return checkedFetch(input, init);
      },
    },
  );
  const profiles = await Promise.all([client.account.profile(), client.account.profile()]);
  expect(profiles.map(({ user }) => user.username)).toEqual([username, username]);
  expect([exchanges, sessions.size]).toEqual([1, 1]);
  const [session = ''] = sessions;
  expect((await get('/api/core/account/profile', { jwt: session })).status).toBe(200);

  const anew = { repository_id: '75', user_email };
  const refused = await post('/api/core/oauth/token', {
    form: {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      client_id: identity.trust,
      assertion: noted(await tokenOfJob(audience, anew)),
    },
  });
  expect(refused.status, 'of a repository that somebody else has created under the name').toBe(400);

  await administrator.trust.delete(path);
  expect((await get('/api/core/account/profile', { jwt: session })).status).toBe(401);
  await expect(client.account.profile()).rejects.toMatchObject({
    operation: 'oauth.token',
    code: 'invalid_grant',
  });

  await administrator.trust.create({ ...path, ...trust });
  expect((await get('/api/core/account/profile', { jwt: session })).status).toBe(401);
  expect((await client.account.profile()).user.username).toBe(username);
  expect(exchanges).toBe(3);
});
