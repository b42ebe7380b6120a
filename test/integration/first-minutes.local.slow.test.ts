import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../infra/local/machine/listen.ts';
import { newFolder } from '../unit/support/folder.ts';
import { canMount, mounted, olderTable, ROOT, withEngine } from './broken-start.ts';
import { startInstance } from './instance-process.ts';

/** A data directory that was used once. */
const used = newFolder();
await (await startInstance({ data: used })).stop();

async function copied(): Promise<string> {
  const data = join(newFolder(), 'data');
  await cp(used, data, { recursive: true });
  return data;
}

const damaged = async (name: string, text: string) => {
  const data = await copied();
  await writeFile(join(data, name), text);
  return { data };
};

const onMount = async (options: string) => {
  const data = newFolder();
  return { data, within: mounted(options, data) };
};

const PATH = '/usr/bin:/bin';

const NEEDS_NODE = /^Node 24 is required, and this is 20\.20\.2\. .*npx .*: npm rebuild node \S+$/;

/** Arguments with which Node.js reports an older version. */
async function asOldNode(): Promise<string[]> {
  const file = join(newFolder(), 'old.cjs');
  await writeFile(file, "Object.defineProperty(process.versions, 'node', { value: '20.20.2' })");
  return ['-r', file];
}

/** Faults of a start: how to cause them, and the message with the remedy. */
type Fault = [what: string, cause: () => Promise<Partial<Parameters<typeof startInstance>[0]>>, says: RegExp];

const FAULTS: Fault[] = [
  [
    'its port is in use',
    async () => {
      const { url, close } = await listen(createServer());
      onTestFinished(() => void close());
      return { args: ['--port', new URL(url).port] };
    },
    /^Port \d+ is in use.*npm start -- --port 0$/,
  ],
  [
    'another instance has its data directory',
    async () => ({ data: (await startInstance({ data: newFolder(), args: ['--memory'] })).data }),
    /is in use by another instance at http:\S+\.\n.*--data <dir>$/,
  ],
  [
    'its data directory is a file',
    async () => ({ data: join(ROOT, 'package.json') }),
    /package\.json cannot be written: it is a file\.\n.*--data <dir>$/,
  ],
  [
    'its data directory cannot be created',
    async () => ({ data: '/proc/folder/data' }),
    /folder\/data cannot be written: (it cannot be created there|your user may not write there)\.\n.*--data <dir>$/,
  ],
  [
    'its lock is damaged',
    () => damaged('lock', 'hello '.repeat(100)),
    /cannot be locked: .*\nDelete \S+lock,/,
  ],
  [
    'its database is damaged',
    () => damaged('dynamodb.sqlite', 'hello '.repeat(1000)),
    /engine does not start\.\n.*\nRestore the data directory from a copy, .*--data <dir>$/,
  ],
  [
    'its secrets are cut off',
    () => damaged('secrets.json', '{"x'),
    /secrets\.json cannot be read: .*\nRestore the data directory from a copy, .*--data <dir>$/,
  ],
  [
    'its table is older',
    async () => ({ data: await olderTable() }),
    /core-account has another shape \(index_GSI1: none; index_GSI2: none\): .*\nUse that version, .*--data <dir>$/,
  ],
  [
    'it has no engine',
    async () => ({ root: await withEngine(), env: { PATH } }),
    /has no DynamoDB engine: .*\nInstall the package.*npm install/,
  ],
  [
    'its engine cannot be executed',
    async () => ({ root: await withEngine(0o644), env: { PATH } }),
    /dynoxide may not be executed\.\nAllow it: chmod \+x/,
  ],
  [
    'its functions are not built',
    async () => ({ root: await withEngine(0o755), args: ['--memory'] }),
    /The functions are not built\. Build them: npm run build/,
  ],
  [
    'its version of Node.js is too old',
    async () => {
      return { nodeArgs: [...(await asOldNode()), '-r', join(ROOT, 'infra/node-version.cjs')] };
    },
    NEEDS_NODE,
  ],
];

const ON_MOUNTS: Fault[] = [
  [
    'its data directory is read-only',
    () => onMount('ro'),
    /cannot be written: its file system is read-only\.\n.*--data <dir>$/,
  ],
  ['its disk is full', () => onMount('size=100k'), /cannot be written: its disk is full\.\n.*--data <dir>$/],
];

const MAX_LINES = 6;

test('an instance that is refused leaves no folder', async () => {
  const { url, close } = await listen(createServer());
  onTestFinished(() => void close());
  const folder = newFolder();
  const args = ['--port', new URL(url).port];
  await expect(startInstance({ data: join(folder, 'new/data'), args })).rejects.toThrow('is in use');
  expect(await readdir(folder)).toEqual([]);
});

// The build and its service are in the group of the terminal, which Ctrl-C reaches as a whole.
test.each([50, 300, 600, 900, 1200, 1600, 2000])(
  'a start that Ctrl-C ends after %i ms says what it did, and exits with 0',
  async (ms) => {
    const args = ['infra/local/main.ts', '--port', '0', '--memory', '--data', join(newFolder(), 'data')];
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output === text) setTimeout(() => process.kill(-(child.pid as number), 'SIGINT'), ms);
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    expect([code, output.split('\n')[0]]).toEqual([0, 'Building the functions...']);
    expect(output).not.toMatch(/EPIPE|Error/);
  },
);

test.each([...FAULTS, ...(canMount ? ON_MOUNTS : [])])(
  'an instance exits with the remedy when %s',
  async (_, cause, says) => {
    const given = await cause();
    const started = startInstance({ data: given.data ?? newFolder(), ...given });
    const error = await started.then(
      () => new Error('It has started'),
      (error: Error) => error,
    );
    const [first, ...others] = error.message.trim().split('\n');
    const lines = others.filter((line) => !/^(Building the functions|Starting)/.test(line));
    expect(first).toBe('The instance ended with 1');
    expect(lines.join('\n')).toMatch(says);
    expect(lines.length, 'lines without a stack').toBeLessThanOrEqual(MAX_LINES);
  },
);

test('the tests exit with the remedy when their version of Node.js is too old', async () => {
  const vitest = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'test/vitest.config.ts'];
  const options = { cwd: ROOT, encoding: 'utf8', timeout: 120_000 } as const;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...(await asOldNode()), ...vitest, '--project', 'none'],
    options,
  );
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr.trim()).toMatch(NEEDS_NODE);
});

test('an instance starts again from nothing when its table is gone', async () => {
  const data = await copied();
  for (const name of ['', '-wal', '-shm']) await rm(join(data, `dynamodb.sqlite${name}`), { force: true });
  const { ready, output } = await startInstance({ data });
  expect(output()).toContain('The table of this data directory is missing');
  expect(ready.admin.password).toBeTypeOf('string');
});
