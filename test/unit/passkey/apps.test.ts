import { expect, test } from 'vitest';
import { newAuthenticator } from '../../authenticator.ts';
import { INVALID, openPasskeys } from './bench.ts';

const [APP, OTHER] = ['n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg', 'A'.repeat(43)].map(
  (hash) => `android:apk-key-hash:${hash}`,
) as [string, string];

const { account, enrol, assert, user } = await openPasskeys({ PasskeyOrigins: APP });

test('an app of the settings creates a passkey and logs in with it', async () => {
  const ada = await account();
  const device = await enrol(ada, 'phone', undefined, newAuthenticator(), { origin: APP });
  expect((await assert(device, { origin: APP })).data.username).toBe(ada.username);
  expect((await assert(device)).data.username).toBe(ada.username);
});

test.each([
  ['another app', { origin: OTHER }],
  ['the app in another case', { origin: APP.toLowerCase() }],
  ['the app with padding', { origin: `${APP}=` }],
  ['the app for another domain', { origin: APP, rpId: 'example.com' }],
  ['the app in a frame of another origin', { origin: APP, crossOrigin: true }],
])('%s is refused', async (_, answering) => {
  const { device } = await user();
  await expect(assert(device, answering)).rejects.toMatchObject(INVALID);
  const created = enrol(await account(), 'phone', undefined, newAuthenticator(), answering);
  await expect(created).rejects.toMatchObject({ code: 'invalid_request' });
});

test('without the setting, no app is accepted', async () => {
  const none = await openPasskeys();
  const { device } = await none.user();
  await expect(none.assert(device, { origin: APP })).rejects.toMatchObject({ cause: 'wrong_origin' });
});
