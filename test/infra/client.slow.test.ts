import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { buildClient, bundleClient } from '../../infra/client/build.ts';
import { newFolder } from '../unit/support/folder.ts';

const run = promisify(execFile);
const BUDGET_BYTES = 5_000;
const PACKAGE = join(import.meta.dirname, '../..');

test(`the client has at most ${BUDGET_BYTES} bytes, compressed, all of its own code`, async () => {
  const { outputFiles, metafile } = await bundleClient();
  const { contents, text } = outputFiles.find(({ path }) => path.endsWith('.js')) as (typeof outputFiles)[0];
  expect(gzipSync(contents, { level: 9 }).length).toBeLessThanOrEqual(BUDGET_BYTES);
  expect(Object.keys(metafile.inputs).filter((path) => !/^lib\/client\/[\w-]+\.ts$/.test(path))).toEqual([]);
  expect(text).not.toMatch(/\bimport\b|\brequire\b|\bprocess\b|\bBuffer\b/);
});

/** Another project, with only the package of `npm pack`. */
const project = newFolder();
const installed = join(project, 'node_modules/core-account-client');

beforeAll(async () => {
  await buildClient();
  await run('npm', ['pack', './dist/client', '--pack-destination', project], { cwd: PACKAGE });
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  const [archive = ''] = (await readdir(project)).filter((name) => name.endsWith('.tgz'));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${archive}`], { cwd: project });
  await writeFile(join(project, 'consumer.ts'), CONSUMER);
});

const CONSUMER = `
import {
  type Account, type Client, CoreAccountError, createClient, type CreatedToken, type ErrorCode, type Page, type Profile, type Token,
} from 'core-account-client';

const client: Client = createClient({ url: 'http://127.0.0.1:9', credential: { token: 'cst_x' }, tries: 1 });
const { value }: CreatedToken = await client.token.create({ token_name: 'ci', username: 'ada' });
const profile: Profile = await client.account.profile();
const tokens: Token[] = (await client.token.listOwn()).items;
const names = ({ items }: Page<Account>) => items.map(({ username }) => username + tokens.length + profile.user.username);
const trust = { trust_name: 'ci', username: 'deploy', issuer: 'github', subject: 'repo:octo/app:*' };
await client.trust.create({ ...trust, claims: { repository_id: '1', outer: { inner: { value: 1 } } } });
// @ts-expect-error no claim is a list
client.trust.create({ ...trust, claims: { aud: ['a'] } });
const bearer: string = await client.tokenFor('https://orders.example.com', { signal: AbortSignal.timeout(5000) });
// @ts-expect-error a token is for one service
client.tokenFor();
// @ts-expect-error no filter has this name
client.account.browse({ colour: 'red' });
// @ts-expect-error the path has a username
client.account.lock();
// @ts-expect-error the service has no such operation
client.account.remove({ username: 'ada' });
for await (const page of client.account.browse().pages()) console.log(names(page));
for await (const { username, lockoutend } of client.account.browse({ state: 'locked', limit: 2 }))
  console.log(username.length, lockoutend?.length, value.length);
// @ts-expect-error a UUID is a text
const wrong: number = await client.system.uuid();
const { code } = new CoreAccountError('token.create', 'token_exists');
// @ts-expect-error a newer service may have other codes
const known: ErrorCode = code;
console.log(wrong, bearer, known, code === 'on_fire');
`;

/** Folders of programs without those of packages: the Node of the machine, version 20 or later. */
const machine = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'));

test.each([
  ['of the machine', machine.join(delimiter)],
  ['of the project', join(PACKAGE, 'node_modules/.bin')],
])('another project imports the client with the Node %s', async (_, PATH) => {
  const script =
    "import('core-account-client').then(({ createClient }) => createClient({ url: 'http://127.0.0.1:9', tries: 1 }).system.uuid()).catch((error) => console.log(process.version, error.constructor.name, error))";
  const flags = ['--enable-source-maps', '--eval', script];
  const { stdout } = await run('node', flags, { cwd: project, env: { PATH } });
  expect(stdout).toMatch(/^v2\d\.\S+ CoreAccountError CoreAccountError: system\.uuid: network_error\./);
  expect(stdout).toMatch(/ at \w*tryOnce .*lib\/client\/send\.ts:\d+/);
});

test.each([
  ['nodenext', 'nodenext', ['es2022', 'dom']],
  ['bundler', 'esnext', ['es2022', 'dom', 'dom.iterable']],
])(
  'another project compiles against the types of the client by the rules of %s',
  async (moduleResolution, module, lib) => {
    const rules = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true };
    const compilerOptions = { target: 'es2022', lib, module, moduleResolution, types: [], ...rules };
    await writeFile(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['consumer.ts'] }),
    );
    const compiled = run(process.execPath, [join(PACKAGE, 'node_modules/typescript/bin/tsc')], {
      cwd: project,
    });
    await compiled.catch(({ stdout }) => expect(stdout).toBe(''));
  },
);

test('the package installs without another package, and has a license, a page and a source map', async () => {
  const modules = await readdir(join(project, 'node_modules'));
  expect(modules.filter((name) => !name.startsWith('.'))).toEqual(['core-account-client']);
  const files = ['LICENSE', 'README.md', 'index.js.map', 'methods.d.ts'];
  expect(await readdir(installed)).toEqual(expect.arrayContaining(files));
});
