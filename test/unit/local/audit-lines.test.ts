import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SubscriptionEvent } from '#lib/audit/collect';
import { subscribeToAudit } from '../../../infra/local/services/lambda/audit-lines.ts';
import { newFolder } from '../support/folder.ts';

let folder: string;
let path: string;
let collected: string[] = [];
let isFailing = false;
let failed = 0;
let subscription: ReturnType<typeof subscribeToAudit> | undefined;

/** Replaces the collector. */
const invoke = async (id: string, event: unknown) => {
  const { data } = (event as SubscriptionEvent).awslogs;
  const { logGroup, logStream, logEvents } = JSON.parse(`${gunzipSync(Buffer.from(data, 'base64'))}`);
  if (isFailing) throw new Error(`No ${++failed}`);
  for (const { message } of logEvents) collected.push(`${id} ${logGroup} ${logStream} ${message}`);
};
const start = () => {
  subscription?.close();
  subscription = subscribeToAudit({ invoke }, 'operators/ada/commands', path, join(folder, 'position'));
};
const expectCollected = (...texts: string[]) =>
  expect
    .poll(() => collected)
    .toEqual(texts.map((text) => `audit.collect audit operators/ada/commands ${text}`));

beforeEach(() => {
  folder = newFolder();
  path = join(folder, 'audit.jsonl');
  collected = [];
  isFailing = false;
});

afterEach(() => subscription?.close());

test('the collector gets each whole line once, over a restart too', async () => {
  await writeFile(path, 'one\ntwöö\nthr');
  start();
  await expectCollected('one', 'twöö');
  await appendFile(path, 'ee\n');
  await expectCollected('one', 'twöö', 'three');
  start();
  await appendFile(path, 'four\n');
  await expectCollected('one', 'twöö', 'three', 'four');
});

test('the collector gets the lines of a failed invocation again', async () => {
  await writeFile(path, 'one\n');
  isFailing = true;
  start();
  await expect.poll(() => failed).toBeGreaterThan(0);
  isFailing = false;
  start();
  await expectCollected('one');
});

test('the collector gets the lines of a file that replaced a longer one', async () => {
  await writeFile(path, 'one\ntwo\n');
  start();
  await expectCollected('one', 'two');
  await writeFile(path, 'new\n');
  await expectCollected('one', 'two', 'new');
});
