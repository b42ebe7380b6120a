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

test(`the client is at most ${BUDGET_BYTES} bytes, compressed, of its own code alone`, async () => {
  const { outputFiles, metafile } = await bundleClient();
  expect(outputFiles).toHaveLength(1);
  const [{ contents, text }] = outputFiles as [(typeof outputFiles)[number]];
  expect(gzipSync(contents, { level: 9 }).length).toBeLessThanOrEqual(BUDGET_BYTES);
  expect(Object.keys(metafile.inputs).filter((path) => !/^lib\/client\/[\w-]+\.ts$/.test(path))).toEqual([]);
  expect(text).not.toMatch(/\bimport\b|\brequire\b|\bprocess\b|\bBuffer\b/);
});

/** Another project, which has installed what `npm pack` makes, and nothing else. */
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

async function use(): Promise<void> {
  const { value } = await client.token.create({ token_name: 'ci', username: 'ada' });
  const secret: string = value;
  for await (const { username, lockoutend } of client.account.browse({ state: 'locked', limit: 2 }))
    console.log(username.length, lockoutend?.length, secret);
  // @ts-expect-error there is no such filter
  client.account.browse({ colour: 'red' });
  // @ts-expect-error it is a text
  const wrong: number = (await client.system.uuid()).length + value;
  console.log(wrong);
}

const error: unknown = await use().catch((thrown) => thrown);
if (!(error instanceof CoreAccountError)) throw error;
const code: ErrorCode = error.code;
// @ts-expect-error no such code
if (code === 'on_fire') throw error;
console.log(code, error.status);
`;

/** The Node that this machine has, whatever it is from 20 on, and the one of the project. */
const ownPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'));

test.each([
  ['of the machine', ownPath.join(delimiter)],
  ['of the project', join(PACKAGE, 'node_modules/.bin')],
])('another project imports it on the Node %s', async (_, PATH) => {
  const script =
    "import('core-account/client').then(({ createClient }) => createClient({ url: 'http://127.0.0.1:9', tries: 1 }).system.uuid()).catch(({ name, code }) => console.log(process.version, name, code))";
  const { stdout } = await run('node', ['--eval', script], { cwd: project, env: { PATH } });
  expect(stdout).toMatch(/^v2\d\.\S+ CoreAccountError network_error\n$/);
});

test.each([
  ['nodenext', 'nodenext', ['es2022', 'dom']],
  ['a bundler', 'bundler', ['es2022', 'dom', 'dom.iterable']],
])('and compiles against its types by the rules of %s, without anything else', async (_, resolution, lib) => {
  const compilerOptions = {
    target: 'es2022',
    lib,
    module: resolution === 'nodenext' ? 'nodenext' : 'esnext',
    moduleResolution: resolution,
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
  };
  await writeFile(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['consumer.ts'] }),
  );
  const compiled = run(process.execPath, [join(PACKAGE, 'node_modules/typescript/bin/tsc')], {
    cwd: project,
  });
  await compiled.catch(({ stdout }) => expect(stdout).toBe(''));
  expect(await readdir(join(project, 'node_modules'))).toEqual(['core-account']);
});

test('what is packed has the client that is built, and no tests', async () => {
  const files = await readdir(installed, { recursive: true });
  expect(files).toEqual(expect.arrayContaining(['dist/client/index.js', 'dist/client/methods.d.ts']));
  expect(
    files.filter((path) => /^(test|node_modules)\b|\.sqlite|secret/i.test(path) && !path.endsWith('.ts')),
  ).toEqual([]);
});
