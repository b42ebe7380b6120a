import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleClient } from '../../infra/client/build.ts';

const run = promisify(execFile);
const BUDGET_BYTES = 6_000;
const PACKAGE = join(import.meta.dirname, '../..');

test(`the client has at most ${BUDGET_BYTES} bytes, compressed, all of its own code`, async () => {
  const { outputFiles, metafile } = await bundleClient();
  const [{ contents, text } = { contents: new Uint8Array(), text: 'import' }] = outputFiles;
  expect(gzipSync(contents, { level: 9 }).length).toBeLessThanOrEqual(BUDGET_BYTES);
  expect(Object.keys(metafile.inputs).filter((path) => !/^lib\/client\/[\w-]+\.ts$/.test(path))).toEqual([]);
  expect(text).not.toMatch(/\bimport\b|\brequire\b|\bprocess\b|\bBuffer\b/);
});

/** Another project, with the package that `npm pack` makes and nothing else. */
const project = await mkdtemp(join(tmpdir(), 'core-account-consumer-'));
const installed = join(project, 'node_modules/core-account');
afterAll(() => rm(project, { recursive: true, force: true }));

beforeAll(async () => {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', project], { cwd: PACKAGE });
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ filename: string }];
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', join(project, filename), '-C', installed, '--strip-components', '1']);
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(project, 'consumer.ts'), CONSUMER);
}, 120_000);

const CONSUMER = `
import { type Client, CoreAccountError, createClient, type ErrorCode } from 'core-account/client';

const client: Client = createClient({ url: 'http://127.0.0.1:9', credential: { token: 'cst_x' }, tries: 1 });
const { value } = await client.token.create({ token_name: 'ci', username: 'ada' });
for await (const { username, lockoutend } of client.account.browse({ state: 'locked', limit: 2 }))
  console.log(username.length, lockoutend?.length, value.length);
// @ts-expect-error the service has no such filter
client.account.browse({ colour: 'red' });
// @ts-expect-error a UUID is a text
const wrong: number = await client.system.uuid();
const code: ErrorCode = new CoreAccountError('token.create', 'token_exists').code;
// @ts-expect-error the service has no such code
console.log(wrong, code === 'on_fire');
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
    "import('core-account/client').then(({ createClient }) => createClient({ url: 'http://127.0.0.1:9', tries: 1 }).system.uuid()).catch(({ name, code }) => console.log(process.version, name, code))";
  const { stdout } = await run('node', ['--eval', script], { cwd: project, env: { PATH } });
  expect(stdout).toMatch(/^v2\d\.\S+ CoreAccountError network_error\n$/);
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
    expect(await readdir(join(project, 'node_modules'))).toEqual(['core-account']);
  },
);

test('the package has the built client and no tests', async () => {
  const files = await readdir(installed, { recursive: true });
  expect(files).toEqual(expect.arrayContaining(['dist/client/index.js', 'dist/client/methods.d.ts']));
  const others = files.filter((path) => !path.endsWith('.ts') || path.startsWith('test'));
  expect(others.filter((path) => /^(test|node_modules)\b|\.sqlite|secret/i.test(path))).toEqual([]);
});
