import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startIssuer } from '#infra/local/issuer/start-issuer';
import { GRANT_TYPES, TOKEN_TYPES } from '#lib/oauth/grant-types';
import type { Platform } from '#lib/trust/issuers';
import {
  type Ask,
  authlib,
  type Client,
  curl,
  goClient,
  googleAuth,
  oauth4webapi,
  openidClient,
  serverOf,
  withoutCurl,
  withoutGo,
  withoutPython,
} from '../strangers/clients.ts';
import { newFolder } from '../unit/support/folder.ts';
import { startInstance } from './instance-process.ts';
import { administratorOf } from './machine.ts';
import { noted } from './service.ts';

const { issuerOf, github } = await startIssuer();
const platforms: readonly Platform[] = ['github', 'kubernetes'];
const settings = await Promise.all(
  platforms.map(async (platform) => {
    const issuer = issuerOf(platform);
    return { name: platform, issuer: issuer.url, platform, jwks: await issuer.keySet() };
  }),
);
const instance = await startInstance({
  data: newFolder(),
  args: ['--memory', '--no-demo'],
  env: { Settings__Issuers: JSON.stringify(settings) },
});
const audience = instance.ready.url;
const { post, createMachine } = administratorOf(instance);

/** Its name has what clients encode in different ways, or not at all. */
const MACHINE = 'shop+ci@acme';
const inPath = encodeURIComponent(MACHINE);
await createMachine(MACHINE, ['deploy']);
await post(`trust/create/cluster/${inPath}`, {
  issuer: 'kubernetes',
  subject: 'system:serviceaccount:shop:deployer',
});
await post(`trust/create/workflow/${inPath}`, {
  issuer: 'github',
  subject: 'repo:acme@65/shop@74:ref:refs/heads/main',
  claims: { repository_id: '74' },
});
const secret = noted(((await post(`token/create/nightly/${inPath}`)) as { value: string }).value);
const tokenOf = async (platform: Platform) => noted(await issuerOf(platform).token({ audience }));

const { token_endpoint = '' } = await serverOf(`${audience}/api/core/account/profile`);
const PLACES = { issuer: audience, token_endpoint, api: `${audience}/api/core/account/profile` };
const TRUST = { ...PLACES, way: 'none', id: `cluster@${MACHINE}`, secret: '' } as const;
const CLIENT = { ...PLACES, id: 'nightly', secret, grant: { grant_type: GRANT_TYPES.client } } as const;

/** What all clients ask for. */
const ASKS: Readonly<Record<string, () => Ask | Promise<Ask>>> = {
  'by an API token in the header': () => ({ ...CLIENT, way: 'basic' }),
  'by an API token in the form': () => ({ ...CLIENT, way: 'form' }),
  'by token-exchange': async () => ({
    ...TRUST,
    grant: {
      grant_type: GRANT_TYPES.exchange,
      subject_token: await tokenOf('kubernetes'),
      subject_token_type: TOKEN_TYPES.jwt,
    },
  }),
  'by jwt-bearer': async () => ({
    ...TRUST,
    grant: { grant_type: GRANT_TYPES.assertion, assertion: await tokenOf('kubernetes') },
  }),
};

const CLIENTS: readonly [string, Client, string?][] = [
  ['openid-client', openidClient],
  ['oauth4webapi', oauth4webapi],
  ['Authlib', authlib, withoutPython],
  ['golang.org/x/oauth2', goClient, withoutGo],
  ['curl', curl, withoutCurl],
];

const answered = (text: string) => (JSON.parse(text) as { data: unknown }).data;
const OWN = { user: { username: MACHINE }, roles: ['deploy'] };

for (const [name, client, missing] of CLIENTS)
  test.skipIf(missing).each(Object.entries(ASKS))(
    `${name} signs in %s${missing ? ` (skipped: ${missing})` : ''}`,
    async (_, ask) => expect(answered(await client(await ask()))).toMatchObject(OWN),
  );

/** Where google-auth finds the token of its platform. It has no client_credentials: its tokens are those of Google. */
const SOURCES: readonly [string, trust: string, () => object | Promise<object>][] = [
  ['a file', 'cluster', async () => ({ file: fileWith(await tokenOf('kubernetes')) })],
  [
    'a JSON file',
    'cluster',
    async () => ({
      file: fileWith(JSON.stringify({ token: await tokenOf('kubernetes') })),
      format: { type: 'json', subject_token_field_name: 'token' },
    }),
  ],
  [
    'the URL of a workflow',
    'workflow',
    () => ({
      url: `${github.ACTIONS_ID_TOKEN_REQUEST_URL}&audience=${encodeURIComponent(audience)}`,
      headers: { Authorization: `Bearer ${github.ACTIONS_ID_TOKEN_REQUEST_TOKEN}` },
      format: { type: 'json', subject_token_field_name: 'value' },
    }),
  ],
];

function fileWith(text: string): string {
  const file = join(newFolder(), 'token');
  writeFileSync(file, text);
  return file;
}

test.skipIf(withoutPython).each(SOURCES)(
  `google-auth signs in by an external account with %s${withoutPython ? ` (skipped: ${withoutPython})` : ''}`,
  async (_, trust, source) => {
    const ask = { ...TRUST, id: `${trust}@${MACHINE}`, grant: {} };
    expect(answered(await googleAuth(ask, await source()))).toMatchObject(OWN);
  },
);
