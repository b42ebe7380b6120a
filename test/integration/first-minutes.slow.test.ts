import { once } from 'node:events';
import { cp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { canMount, mounted, olderTable, withEngine } from './broken-start.ts';
import { newFolder } from './folder.ts';
import { startInstance } from './instance-process.ts';
import { run } from './operator.ts';

const ROOT = join(import.meta.dirname, '../..');

type Start = Partial<Parameters<typeof startInstance>[0]>;

/** A data directory that was started once, with every account in it. */
async function started(): Promise<string> {
  const data = await newFolder();
  await (await startInstance({ data })).stop();
  return data;
}
const used = await started();
async function copied(): Promise<string> {
  const data = join(await newFolder(), 'data');
  await cp(used, data, { recursive: true });
  return data;
}

const damaged = async (name: string, text: string) => {
  const data = await copied();
  await writeFile(join(data, name), text);
  return { data };
};

/** What keeps an instance from starting, how to make it so, and what people are told to do. */
const CASES: Readonly<Record<string, [make: () => Promise<Start>, says: RegExp]>> = {
  'its port is in use': [
    async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      onTestFinished(() => void server.close());
      return { args: ['--port', `${(server.address() as AddressInfo).port}`] };
    },
    /^Port \d+ is in use.*npm start -- --port 0$/,
  ],
  'another instance has its data directory': [
    async () => {
      const { data } = await startInstance({ data: await newFolder(), args: ['--memory'] });
      return { data };
    },
    /is in use by another instance at http:\S+\.\n.*--data <dir>$/,
  ],
  'its data directory is a file': [
    async () => ({ data: join(ROOT, 'package.json') }),
    /package\.json cannot be written: it is a file\.\n.*--data <dir>$/,
  ],
  'its lock is none': [() => damaged('lock', 'hello '.repeat(100)), /cannot be locked: .*\nDelete \S+lock,/],
  'its database is none': [
    () => damaged('dynamodb.sqlite', 'hello '.repeat(1000)),
    /engine does not start\.\n.*\nRestore the data directory from a copy, .*--data <dir>$/,
  ],
  'its secrets are cut off': [
    () => damaged('secrets.json', '{"x'),
    /secrets\.json cannot be read: .*\nRestore the data directory from a copy, .*--data <dir>$/,
  ],
  'its table is an older one': [
    async () => ({ data: await olderTable() }),
    /core-account lacks the index GSI2: .*\nUse that version, .*--data <dir>$/,
  ],
  'it has no engine': [
    async () => ({ root: await withEngine(undefined), env: { PATH: '/usr/bin:/bin' } }),
    /has no DynamoDB engine: .*\nInstall the package.*npm install/,
  ],
  'its engine may not be executed': [
    async () => ({ root: await withEngine(0o644), env: { PATH: '/usr/bin:/bin' } }),
    /dynoxide may not be executed\.\nAllow it: chmod \+x/,
  ],
  'its functions are not built': [
    async () => ({ root: await withEngine(0o755), args: ['--memory'] }),
    /The functions are not built\. Build them: npm run build/,
  ],
  'its version of Node.js is too old': [
    async () => {
      const file = join(await newFolder(), 'old.cjs');
      await writeFile(file, "Object.defineProperty(process.versions, 'node', { value: '20.20.2' })");
      return { nodeArgs: ['-r', file, '-r', join(ROOT, 'infra/node-version.cjs')] };
    },
    /^Node 24 is needed, and this is 20\.20\.2\. .*\n {2}npm rebuild node/,
  ],
};

const MOUNTED: typeof CASES = {
  'its data directory is read-only': [
    async () => {
      const data = await newFolder();
      return { data, within: mounted('ro', data) };
    },
    /cannot be written: its file system is read-only\.\n.*--data <dir>$/,
  ],
  'its disk is full': [
    async () => {
      const data = await newFolder();
      return { data, within: mounted('size=100k', data) };
    },
    /cannot be written: its disk is full\.\n.*--data <dir>$/,
  ],
  'the folder of its functions is read-only': [
    async () => ({ build: true, within: mounted('ro', join(ROOT, 'dist')) }),
    /dist cannot be written: its file system is read-only\.\n.*--no-build$/,
  ],
};

const MAX_LINES = 6;

/** What it says as it ends. */
async function refusal([make]: (typeof CASES)[string]): Promise<string> {
  const given = await make();
  const error = await startInstance({ data: given.data ?? (await newFolder()), ...given }).then(
    () => new Error('It has started'),
    (error: Error) => error,
  );
  return error.message.trim();
}

async function check(it: (typeof CASES)[string]) {
  const [first, ...lines] = (await refusal(it)).split('\n');
  expect(first).toBe('The instance ended with 1');
  expect(lines.join('\n')).toMatch(it[1]);
  expect(lines.length, 'lines, none of them of a stack').toBeLessThanOrEqual(MAX_LINES);
}

describe('an instance does not start, and says what to do, where', () => {
  test.each(Object.entries(CASES))('%s', (_, it) => check(it));
  test.skipIf(!canMount).each(Object.entries(MOUNTED))('%s', (_, it) => check(it));
});

test('without its table, a data directory is started for the first time again, and says so', async () => {
  const data = await copied();
  for (const name of ['', '-wal', '-shm']) await rm(join(data, `dynamodb.sqlite${name}`), { force: true });
  const { ready, output } = await startInstance({ data });
  expect(output()).toContain('The table of this data directory is gone');
  expect(ready.admin.password).toBeTypeOf('string');
});

test('operator commands report what to do when the instance was killed or its file is damaged', async () => {
  const data = await newFolder();
  await (await startInstance({ data, args: ['--memory'] })).kill();
  const list = () => run(['team', 'list'], '', { where: ['--data', data] });
  const stderr = (says: RegExp) => expect.stringMatching(says);
  expect(await list()).toMatchObject({ code: 1, stderr: stderr(/^unavailable: .* is it running\? .*\n$/) });
  await writeFile(join(data, 'instance.json'), '{"ready"');
  expect(await list()).toMatchObject({ code: 1, stderr: stderr(/instance\.json is damaged: restart .*\n$/) });
});
