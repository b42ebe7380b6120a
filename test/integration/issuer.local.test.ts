import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { issuersIn, PLATFORMS } from '#lib/trust/issuers';
import { workflowVariables } from '../../infra/local/issuer/start-issuer.ts';
import type { InstanceFile } from '../../infra/local/ready.ts';
import { newFolder } from '../unit/support/folder.ts';
import { startInstance } from './instance-process.ts';

const settingsIn = (data: string) =>
  (JSON.parse(readFileSync(join(data, 'instance.json'), 'utf8')) as InstanceFile).settings ?? {};

/** The result of the job that fetches keys, which runs at the start. */
const refreshed = (data: string) =>
  readFileSync(join(data, 'functions.log'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('The keys of issuers were fetched'))
    .map((line) => JSON.parse(line) as object);

test('npm start -- --issuer serves an issuer for each platform, whose keys the instance fetches', async () => {
  const own = { name: 'own', issuer: 'https://issuer.example', jwks: { keys: [KEY] } };
  const env = { Settings__Issuers: JSON.stringify([own]) };
  const { ready, data, output, stop } = await startInstance({
    data: newFolder(),
    args: ['--no-demo', '--memory', '--issuer', '0'],
    env,
  });
  const { url, audience } = ready.issuer as NonNullable<typeof ready.issuer>;
  expect(url).toMatch(/^http:\/\/localhost:\d+$/);
  expect(audience).toBe(ready.url);
  const issuers = issuersIn(settingsIn(data)['Settings__Issuers'] ?? '', true);
  expect(issuers.map(({ name }) => name)).toEqual(['own', ...PLATFORMS]);

  const exported = [...output().matchAll(/^ {2}export (\w+)='(.+)'$/gm)].map(([, ...variable]) => variable);
  expect(Object.fromEntries(exported)).toEqual(workflowVariables(url));
  const [[, target], [, bearer]] = exported as [string[], string[]];
  const ofWorkflow = (headers: Record<string, string>) =>
    fetch(`${target}&audience=${audience}`, { headers });
  expect((await ofWorkflow({})).status).toBe(401);
  const answer = await (await ofWorkflow({ authorization: `Bearer ${bearer}` })).json();
  const others = [...output().matchAll(/^ {2}curl -X POST '(.+)'$/gm)].map(([, line]) => line as string);
  const tokens = await Promise.all(
    others.map(async (line) => (await fetch(line, { method: 'POST' })).text()),
  );
  const issued = [(answer as { value: string }).value, ...tokens].map(async (token) => {
    const { iss = '' } = decodeJwt(token);
    const metadata = await (await fetch(`${iss}/.well-known/openid-configuration`)).json();
    const keys = createRemoteJWKSet(new URL((metadata as { jwks_uri: string }).jwks_uri));
    const { payload } = await jwtVerify(token, keys, {
      issuer: iss,
      audience,
      requiredClaims: ['sub', 'exp'],
    });
    return payload.iss;
  });
  expect(await Promise.all(issued)).toEqual(PLATFORMS.map((platform) => `${url}/${platform}`));
  await expect
    .poll(() => refreshed(data), { timeout: 20_000 })
    .toMatchObject([{ fetched: PLATFORMS.length, failed: 0, claimed: 0 }]);
  expect(await stop()).toBe(0);
});

test('an instance without --issuer has no issuer, and fetches nothing', async () => {
  const { ready, data, output, stop } = await startInstance({
    data: newFolder(),
    args: ['--no-demo', '--memory'],
    // Instances of other tests have issuers.
    env: { Settings__Issuers: '' },
  });
  expect(ready).not.toHaveProperty('issuer');
  expect(settingsIn(data)['Settings__Issuers'] ?? '').toBe('');
  expect(output()).not.toContain('ACTIONS_ID_TOKEN');
  await expect
    .poll(() => refreshed(data), { timeout: 20_000 })
    .toMatchObject([{ fetched: 0, failed: 0, claimed: 0 }]);
  await stop();
});

test('a start names the fault of an issuer', async () => {
  const env = { Settings__Issuers: '[{"name":"github","issuer":"https://1.2.3.4"}]' };
  await expect(startInstance({ data: newFolder(), env })).rejects.toThrow(
    'Settings:Issuers: "github" (1) issuer: Must not have an IP address as its host',
  );
  const taken = { Settings__Issuers: '[{"name":"github","issuer":"https://issuer.example"}]' };
  await expect(
    startInstance({ data: newFolder(), env: taken, args: ['--memory', '--issuer', '0'] }),
  ).rejects.toThrow('Settings:Issuers: "github" (2) name: Must not be repeated');
});

const KEY = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
