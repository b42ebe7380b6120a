import { expect, test } from 'vitest';
import { startInstance } from '../../integration/instance-process.ts';
import { newPasswordText } from '../../integration/service.ts';
import { newFolder } from '../../unit/support/folder.ts';
import { connectDevice, openContext } from '../browser.ts';
import { heading, logIn } from './page.ts';

const password = newPasswordText();
const { ready } = await startInstance({
  data: newFolder(),
  args: ['--no-demo'],
  env: { Settings__BcryptCost: '10', ADMIN_PASSWORD: password },
});
const origin = ready.url.replace('127.0.0.1', 'localhost');
const ADDRESS = `${origin}/api/core/admin`;

const context = await openContext();
const page = await context.newPage();
const cdp = await context.newCDPSession(page);
await cdp.send('WebAuthn.enable');
const authenticatorId = await connectDevice(cdp);
const namesOf = async () =>
  (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.map(
    ({ credentialId }) => credentialId,
  );

let assertions = 0;
page.on('request', (request) => {
  if (request.url().endsWith('/account/passkey/assert')) assertions += 1;
});

const createPasskey = async (name: string) => {
  await page.getByRole('button', { name: 'Create passkey' }).click();
  await page.getByLabel('Name').fill(name);
  await page.keyboard.press('Enter');
  await page.getByRole('row', { name }).waitFor();
};

test('a device drops a passkey that its owner removes, and keeps the others', async () => {
  await page.goto(`${ADDRESS}#me?part=passkeys`);
  await logIn(page, { username: ready.admin.username, password });
  await page.getByText('No passkey yet.').waitFor();
  await createPasskey('Anna’s iPhone \u{1f511}');
  const [only = ''] = await namesOf();
  await page.getByRole('button', { name: 'Remove passkey' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove passkey' }).click();
  await page.getByText('No passkey yet.').waitFor();
  await expect.poll(namesOf).not.toContain(only);
});

test('a device that answers by itself with an unknown passkey is refused once, until a person asks', async () => {
  await page.goto(`${ADDRESS}#me?part=passkeys`);
  await createPasskey('phone');
  const [kept] = (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
  await page.getByRole('button', { name: 'Remove passkey' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove passkey' }).click();
  await page.getByText('No passkey yet.').waitFor();
  await expect.poll(namesOf).toEqual([]);
  // A device that the browser could not tell.
  if (!kept) throw new Error('The device has no passkey');
  await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: kept });
  await context.clearCookies();
  await page.goto('about:blank');
  assertions = 0;
  await page.goto(ADDRESS);
  await page.getByRole('alert').getByText('This passkey was not accepted.').waitFor();
  // As long as fifty refused assertions took before.
  await page.waitForTimeout(5000);
  expect(assertions).toBe(1);
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await expect.poll(() => assertions).toBe(2);
  await page.waitForTimeout(1000);
  expect(assertions).toBe(2);
  // The device is not told: a refusal has many causes.
  expect(await namesOf()).toEqual([kept.credentialId]);
  await page.getByLabel('Username').fill(ready.admin.username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await heading(page, 'People').waitFor();
  expect(assertions).toBe(2);
});
