import { execFile } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { newFolder } from '../unit/support/folder.ts';
import { blocksIn } from './articles.ts';
import { startInstance } from './instance-process.ts';

const ROOT = join(import.meta.dirname, '../..');
const blocks = blocksIn('infra/gateways.md').filter(({ headings }) =>
  headings.includes('Five minutes on your machine'),
);
const [start = '', ...steps] = blocks.map(({ lines }) => lines.join('\n'));

test('the page about gateways leads to a token that a verifier accepts, and to a session that it refuses', async () => {
  const [, resources = ''] = /Settings__Resources='(.+)' npm start$/.exec(start) ?? [];
  const { ready, data } = await startInstance({
    data: newFolder(),
    args: ['--memory', '--no-demo'],
    env: { Settings__Resources: resources },
  });
  const folder = newFolder();
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const admin = `"${process.execPath}" "${ROOT}/infra/admin/main.ts" --data "${data}"`;
  const script = steps
    .join('\n')
    .replaceAll('http://127.0.0.1:3000', ready.url)
    .replaceAll('npm run -s admin --', admin);
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder });
  expect(stdout).toContain(`iss: '${ready.url}'`);
  expect(stdout).toContain("aud: 'https://orders.example.com'");
  expect(stdout).toContain("roles: [ 'orders' ]");
  expect(stdout).toContain("client_id: 'laptop'");
  expect(stdout).toMatch(/A session is refused\n$/);
});
