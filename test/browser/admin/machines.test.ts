import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { workflowVariables } from '../../../infra/local/issuer/start-issuer.ts';
import { startInstance } from '../../integration/instance-process.ts';
import { clientOf, newPasswordText, noted } from '../../integration/service.ts';
import { newFolder } from '../../unit/support/folder.ts';
import { faultsInBothSchemes, offencesOf, openContext } from '../browser.ts';
import { heading, logIn } from './page.ts';

const run = promisify(execFile);

const password = newPasswordText();
const data = newFolder();
const { ready } = await startInstance({
  data,
  args: ['--no-demo', '--issuer', '0'],
  // Those of the samples have the same names.
  env: { Settings__BcryptCost: '10', Settings__Issuers: '[]', ADMIN_PASSWORD: password },
});
const api = clientOf({ token: noted(ready.admin.token as string) }, { url: ready.url });
const ADDRESS = `${ready.url}/api/core/admin`;

await api.account.create({ username: 'ci', kind: 'machine', owner: 'admin', roles: ['deployer'] });

const context = await openContext();
const page = await context.newPage();
const offences = offencesOf(page, /^$/, ready.url);
await page.goto(ADDRESS);
await logIn(page, { username: 'admin', password });
await heading(page, 'People').waitFor();

const dialog = () => page.getByRole('dialog');

const faults = (selector: string) => faultsInBothSchemes(page, selector);

test('machines are not among the people, and people not among the machines', async () => {
  await page.goto(`${ADDRESS}#accounts`);
  await page.getByRole('row', { name: 'admin' }).waitFor();
  expect(await page.getByRole('row', { name: 'ci' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Machines', exact: true }).click();
  await page.getByRole('row', { name: 'ci' }).waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  expect(await faults('html')).toEqual([]);
});

test('the workflow that the page shows signs in, and its session ends with the trust', async () => {
  await page.goto(`${ADDRESS}#account?username=ci`);
  await page.getByRole('button', { name: 'Create trust' }).click();
  expect(await faults('dialog[open]')).toEqual([]);
  for (const [label, text] of Object.entries({
    Name: 'deploy',
    Repository: 'acme/shop',
    'ID of the repository': '74',
    'ID of its owner': '65',
    Branch: 'main',
  }))
    await page.getByLabel(label, { exact: true }).fill(text);
  await dialog().getByRole('button', { name: 'Create trust' }).click();
  const workflow = await page.getByLabel('.github/workflows/core-account.yml').inputValue();
  expect(await faults('dialog[open]')).toEqual([]);
  const [, step = ''] = workflow.split('- run: |\n');
  const script = step.replaceAll(/^ {10}/gm, '');
  const env = { PATH: process.env['PATH'], ...workflowVariables(`${ready.issuer?.url}`) };
  const { stdout } = await run('bash', ['-e', '-c', `${script}\necho; echo "$SESSION"`], { env });
  const [profile = '', session = ''] = stdout.trim().split('\n');
  expect(JSON.parse(profile).data.user.username).toBe('ci');
  const status = async () => {
    const headers = { authorization: `Bearer ${noted(session)}` };
    return (await fetch(`${ready.url}/api/core/system/ping`, { headers })).status;
  };
  expect(await status()).toBe(200);
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('row', { name: 'deploy' }).getByRole('button', { name: 'Delete' }).click();
  await dialog().getByRole('button', { name: 'Delete' }).click();
  await page.getByText('is deleted, and its sessions have ended.').waitFor();
  expect(await status()).toBe(401);
  expect(offences).toEqual([]);
});
