import { afterAll, afterEach, beforeEach, expect, inject, vi } from 'vitest';
import { nameTests } from '../names.ts';
import { folders, removeFolders } from '../unit/support/folder.ts';
import { suspendLimits } from '../unit/support/limits.ts';
import { logged, readLogs, started } from './instance-process.ts';
import { logsIn, openLogs } from './logs.ts';
import { credentials, forget, requests } from './service.ts';

suspendLimits();
nameTests();

/** When the file began. */
const since = Date.now();
let hasFailed = false;
const environment = { ...process.env };

beforeEach(() => {
  requests.clear();
});

/** The files of a worker share their modules: the hooks below run first, then the state of a file is forgotten. */
afterAll(() => {
  forget();
  for (const list of [started, logged, folders]) list.length = 0;
  process.env = { ...environment };
});

/** A test that fails shows what the functions have logged of its requests. */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  hasFailed = true;
  const lines = await linesOf(new Map(requests));
  if (lines.length > 0) console.error(`Log of the requests of "${task.name}":\n${lines.join('\n')}`);
});

/** After each file: fails if a log, an event or an audit line contains a credential of the file. */
afterAll(async () => {
  const logs = [...logged, ...(await logsOfService())].join('\n');
  const found = [...credentials].filter((credential) => logs.includes(credential));
  expect(found, 'credentials that were logged').toEqual([]);
});

/** Logs, published events and audit lines of the service under test; of a stack, its logs. */
async function logsOfService(): Promise<string[]> {
  if (!inject('stack')) return readLogs(inject('data'));
  const { functions, audit } = await openLogs(since);
  return [...(await functions()), ...(await audit())];
}

/** Other services have no instances: see {@link file://../vitest.config.ts}. */
afterAll(() => {
  const { testPath = '' } = expect.getState();
  const isShared = /test\/integration\/(?!.*\.local\.)/.test(testPath);
  if (isShared) expect(started, 'a file that starts instances is named *.local.test.ts').toEqual([]);
});

/** Stops the instances of a file, and removes its folders unless a test failed. */
afterAll(async () => {
  await Promise.all(started.map(({ stop }) => stop()));
  if (hasFailed && folders.length > 0) console.error(`Logs and data are kept in ${folders.join(', ')}`);
  else removeFolders();
});

/** The lines of requests, by the base URL that each went to. They come a moment after the answer. */
async function linesOf(sent: ReadonlyMap<string, string>): Promise<string[]> {
  const own = await openLogs(since);
  const read = async () => {
    const logs = [own, ...started.map(({ data }) => logsIn(data))];
    const lines = (await Promise.all(logs.map(({ functions }) => functions()))).flat();
    return lines.filter((line) => [...sent.keys()].some((id) => line.includes(id)));
  };
  const enough = async () => (await read()).length >= sent.size;
  await vi.waitUntil(enough, { timeout: 2000, interval: inject('stack') ? 1000 : 50 }).catch(() => undefined);
  return read();
}
