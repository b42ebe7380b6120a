import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import '../unit/support/connections.ts';
import { afterAll, afterEach, beforeEach, expect, inject, vi } from 'vitest';
import { nameTests } from '../names.ts';
import { folders, removeFolders } from '../unit/support/folder.ts';
import { logged, readLogs, started } from './instance-process.ts';
import { credentials, forget, requests } from './service.ts';

nameTests();

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
  const logs = [...logged, ...(inject('stack') ? [] : await readLogs(inject('data')))].join('\n');
  const found = [...credentials].filter((credential) => logs.includes(credential));
  expect(found, 'credentials that were logged').toEqual([]);
});

/** Stops the instances of a file, and removes its folders unless a test failed. */
afterAll(async () => {
  await Promise.all(started.map(({ stop }) => stop()));
  if (hasFailed && folders.length > 0) console.error(`Logs and data are kept in ${folders.join(', ')}`);
  else removeFolders();
});

/** The lines of requests, by the base URL that each went to. They come a moment after the answer. */
async function linesOf(sent: ReadonlyMap<string, string>): Promise<string[]> {
  const read = async () => {
    const directories = new Set([inject('data'), ...started.map(({ data }) => data)]);
    const logs = [...directories].map((data) =>
      readFile(join(data, 'functions.log'), 'utf8').catch(() => ''),
    );
    const lines = (await Promise.all(logs)).flatMap((text) => text.split('\n'));
    return lines.filter((line) => [...sent.keys()].some((id) => line.includes(id)));
  };
  await vi
    .waitUntil(async () => (await read()).length >= sent.size, { timeout: 2000 })
    .catch(() => undefined);
  return read();
}
