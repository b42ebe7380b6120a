import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { openFunctionLog } from '#infra/local/services/lambda/function-log';
import { REFUSED } from '#lib/audit/store';
import { newFolder } from '../support/folder.ts';

test('the function log copies audit lines, also from pieces of output, and adds lines of the platform', async () => {
  const folder = newFolder();
  const paths = [join(folder, 'functions.log'), join(folder, 'audit.jsonl')] as const;
  const log = openFunctionLog(...paths);
  const output = new PassThrough();
  log.take(output, 'system.ping');
  output.write('{"level":"info","n":1}\n{"level":"au');
  output.end('dit","action":"system.ping"}\n{"level":"warn"}');
  await setImmediate();
  log.write({ level: 'error', message: 'of the platform' });
  await log.close();
  const [lines, audit] = paths.map((file) => readFileSync(file, 'utf8').split('\n').slice(0, -1));
  expect(audit).toEqual(['{"level":"audit","action":"system.ping"}']);
  const own = /^\{"level":"error","time":"[\d-]{10}T[\d:.]{12}Z","message":"of the platform"\}$/;
  const both = ['{"level":"info","n":1}', ...(audit ?? []), '{"level":"warn"}'];
  expect(lines).toEqual([...both, expect.stringMatching(own)]);
});

test('the function log keeps the audit line of the probe to itself', async () => {
  const folder = newFolder();
  const paths = [join(folder, 'functions.log'), join(folder, 'audit.jsonl')] as const;
  const log = openFunctionLog(...paths);
  const beat = '{"level":"audit","action":"monitoring.probe"}\n';
  log.take(Readable.from([beat]), 'monitoring.probe');
  await setImmediate();
  await log.close();
  expect(paths.map((file) => readFileSync(file, 'utf8'))).toEqual([beat, '']);
});

test('the function log counts an audit line that another function or an operator writes, and does not keep it', async () => {
  const folder = newFolder();
  const paths = [join(folder, 'functions.log'), join(folder, 'audit.jsonl')] as const;
  const log = openFunctionLog(...paths);
  const output = new PassThrough();
  log.take(output, 'system.ping');
  const forged = { actor: 'operator:administrator', action: 'admin account erase', target: 'ada' };
  for (const part of [forged, { ...forged, action: 'system.ping' }, { action: 'account.erase' }])
    output.write(`${JSON.stringify({ level: 'audit', ...part })}\n`);
  output.end();
  await setImmediate();
  await log.close();
  const [lines, audit] = paths.map((file) => readFileSync(file, 'utf8').split('\n').slice(0, -1));
  const warning = { level: 'warn', function: 'system.ping', message: REFUSED, count: 1 };
  expect([audit, lines?.map((line) => JSON.parse(line))]).toEqual([
    [],
    [1, 2, 3].map(() => expect.objectContaining(warning)),
  ]);
});

test('the terminal shows each error and each refused credential in one line', async () => {
  const printed: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  const folder = newFolder();
  const log = openFunctionLog(join(folder, 'functions.log'), join(folder, 'audit.jsonl'));
  const request = { function: 'token.create-own', requestId: 'r' };
  log.write({ level: 'info', ...request, outcome: 'success' });
  log.write({ level: 'info', ...request, outcome: 'refused', cause: 'token_expired' });
  log.write({ level: 'error', ...request, error: { name: 'TypeError', message: 'x' } });
  await log.close();
  vi.restoreAllMocks();
  expect(printed.join('')).toBe(
    'refused  token.create-own  r  token_expired\nerror  token.create-own  r  TypeError: x\n',
  );
});
