import { expect, test } from 'vitest';
import { relyingParty } from '#lib/instance/relying-party';
import type { Settings } from '#lib/instance/settings';
import { passkeyOptions } from '#lib/passkey/options';
import { openPasskeys } from './bench.ts';

const { wire, runtime, account, user, session, optionsFor } = await openPasskeys({ OwnerName: 'Ada Ltd' });

const withoutChallenge = ({ challenge: _, ...others }: Record<string, unknown>) => others;

test('options for a new passkey name the account, and exclude its passkeys', async () => {
  const ada = await account({ user_first_name: 'Ada', user_last_name: 'Lovelace' });
  expect(withoutChallenge(await optionsFor('create', ada, await session(ada)))).toEqual({
    rp: { id: 'id.example.com', name: 'Ada Ltd' },
    user: {
      id: Buffer.from(ada.id).toString('base64url'),
      name: ada.username,
      displayName: 'Ada Lovelace',
    },
    pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
    timeout: 300_000,
    excludeCredentials: [],
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  });
});

test('options for an assertion list the passkeys of a caller, and none of anybody else', async () => {
  const { account: ada, device } = await user();
  const common = { rpId: 'id.example.com', timeout: 300_000, userVerification: 'required' };
  expect(withoutChallenge(await optionsFor('assert', ada))).toEqual({
    ...common,
    allowCredentials: [{ type: 'public-key', id: device.id, transports: ['internal', 'hybrid'] }],
  });
  for (const username of [undefined, ada.username, 'nobody', '../..']) {
    const { options } = await passkeyOptions(runtime, undefined, undefined, { purpose: 'assert', username });
    expect(withoutChallenge(options)).toEqual({ ...common, allowCredentials: [] });
    expect(String(options['challenge'])).toHaveLength(
      String((await optionsFor('assert'))['challenge']).length,
    );
  }
});

test('options list no passkey of another domain', async () => {
  const { account: ada } = await user();
  const moved = { ...runtime, settings: { ...runtime.settings, PasskeyDomain: 'example.com' } };
  const { options } = await passkeyOptions(moved, ada, undefined, { purpose: 'assert' });
  expect(options).toMatchObject({ rpId: 'example.com', allowCredentials: [] });
});

test('options for a new passkey need a caller', async () => {
  await expect(optionsFor('create')).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('options write nothing, and without a caller read nothing', async () => {
  const { account: ada } = await user();
  await optionsFor('assert');
  wire.reset();
  await optionsFor('assert');
  expect(wire.commands).toEqual([]);
  await optionsFor('assert', ada);
  expect(wire.commands.map(({ operation }) => operation)).toEqual(['BatchGetItem']);
});

test('every challenge differs', async () => {
  const all = await Promise.all([1, 2, 3].map(() => optionsFor('assert')));
  expect(new Set(all.map(({ challenge }) => challenge)).size).toBe(3);
});

const API = 'https://id.example.com/base';
const LOCAL = ['http://localhost:3000'];
const NONE = { PasskeyDomain: '', PasskeyOrigins: [], CorsAllowedOrigins: [], OwnerName: '', ApiUrl: '' };
test.each<[string, Partial<Settings>, string, string[]]>([
  ['the host of the base URL', { ApiUrl: API }, 'id.example.com', ['https://id.example.com']],
  [
    'a parent of it, with the origins below',
    {
      ApiUrl: API,
      PasskeyDomain: 'example.com',
      CorsAllowedOrigins: [
        'https://app.example.com',
        'https://example.com',
        'https://badexample.com',
        'https://example.org',
      ],
    },
    'example.com',
    ['https://id.example.com', 'https://app.example.com', 'https://example.com'],
  ],
  [
    'without a parent, only origins below the host',
    { ApiUrl: API, CorsAllowedOrigins: ['https://app.example.com', 'https://a.id.example.com'] },
    'id.example.com',
    ['https://id.example.com', 'https://a.id.example.com'],
  ],
  [
    'an instance with an app for Android',
    { ApiUrl: API, PasskeyOrigins: ['android:apk-key-hash:x'] },
    'id.example.com',
    ['https://id.example.com', 'android:apk-key-hash:x'],
  ],
  ['localhost for an IPv4 address', { ApiUrl: 'http://127.0.0.1:3000' }, 'localhost', LOCAL],
  ['localhost for an IPv6 address', { ApiUrl: 'http://[::1]:3000' }, 'localhost', LOCAL],
  ['localhost without a base URL', { ApiUrl: '' }, 'localhost', ['http://localhost']],
])('the relying party is %s', (_, settings, id, origins) => {
  const all = { ...NONE, ...settings };
  expect(relyingParty(all)).toEqual({ id, name: 'core-account', origins });
});
