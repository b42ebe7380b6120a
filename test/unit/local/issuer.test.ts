import { request } from 'node:http';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { expect, test } from 'vitest';
import type { TokenClaims } from '../../../infra/local/issuer/forms.ts';
import { openTestIssuer } from '../support/issuer.ts';
import { NOON } from '../support/items.ts';

const server = await openTestIssuer(() => NOON);
const NOW = NOON / 1000;

const token = (platform: Parameters<typeof server.issuerOf>[0], claims: TokenClaims = {}) =>
  server.issuerOf(platform).token({ audience: 'https://id.example.com', claims });
const claimsOf = async (...parameters: Parameters<typeof token>) => decodeJwt(await token(...parameters));

/** Requests GitHub's token as a workflow does. */
async function ofWorkflow(parameters: Readonly<Record<string, string>>) {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: bearer } = server.github;
  const answer = await fetch(`${url}&${new URLSearchParams(parameters)}`, {
    headers: { authorization: `Bearer ${bearer}` },
  });
  return decodeJwt(((await answer.json()) as { value: string }).value);
}

test.each<[Record<string, string>, string]>([
  [{}, 'repo:acme@65/shop@74:ref:refs/heads/main'],
  [{ ref: 'refs/tags/v1' }, 'repo:acme@65/shop@74:ref:refs/tags/v1'],
  [{ environment: 'prod' }, 'repo:acme@65/shop@74:environment:prod'],
  [{ event_name: 'pull_request', ref: 'refs/pull/1/merge' }, 'repo:acme@65/shop@74:pull_request'],
  [{ repository: 'acme/web', repository_id: '75' }, 'repo:acme@65/web@75:ref:refs/heads/main'],
  [{ sub: 'repo:acme/shop:ref:refs/heads/main' }, 'repo:acme/shop:ref:refs/heads/main'],
])("GitHub's token of the job %j has the subject %s", async (claims, sub) => {
  expect(await ofWorkflow({ audience: 'https://id.example.com', ...claims })).toMatchObject({
    ...{ iss: `${server.url}/github`, aud: 'https://id.example.com', sub, ...claims },
    ...{ iat: NOW, exp: NOW + 300, nbf: NOW - 600, repository_owner_id: '65', ref_protected: 'true' },
    jti: expect.stringMatching(/^[\w-]{36}$/),
  });
});

test('tokens of the other platforms have their form', async () => {
  expect(await claimsOf('gitlab', { ref: 'v1', ref_type: 'tag' })).toMatchObject({
    ...{ sub: 'project_path:acme/shop:ref_type:tag:ref:v1', project_id: '20', ref_protected: 'true' },
    ...{ user_email: 'ada@example.com', exp: NOW + 3600 },
  });
  expect(await claimsOf('kubernetes', { 'kubernetes.io': { namespace: 'web' } })).toMatchObject({
    ...{ sub: 'system:serviceaccount:web:deployer', aud: ['https://id.example.com'] },
    'kubernetes.io': { namespace: 'web', serviceaccount: { name: 'deployer' } },
  });
  const google = await claimsOf('google');
  expect(google).toMatchObject({ sub: expect.stringMatching(/^\d{21}$/), email_verified: true });
  expect(google).not.toHaveProperty('jti');
  expect(await claimsOf('aws')).toMatchObject({
    ...{ sub: 'arn:aws:iam::111122223333:role/deployer', exp: NOW + 300 },
    'https://sts.amazonaws.com/': { aws_account: '111122223333' },
  });
  expect(decodeProtectedHeader(await token('aws')).alg).toBe('ES384');
  const rsa = await server.issuerOf('aws').token({ audience: 'a', alg: 'RS256' });
  expect(decodeProtectedHeader(rsa).alg).toBe('RS256');
});

test('a claim that is given replaces that of the example, and null leaves it out', async () => {
  const claims = await claimsOf('other', { sub: 'job', aud: ['a', 'b'], jti: null, exp: NOW });
  expect(claims).toEqual({ iss: `${server.url}/other`, sub: 'job', aud: ['a', 'b'], iat: NOW, exp: NOW });
});

test('a request for another host, as of a page that resolves its name to this machine, gets no token', async () => {
  const { port } = new URL(server.url);
  const status = await new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      method: 'POST',
      path: '/gitlab/token',
      headers: { host: 'evil.example' },
    };
    request(options, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });
  expect(status).toBe(421);
});
