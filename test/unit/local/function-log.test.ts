import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { openFunctionLog } from '#infra/local/lambda/function-log';

/** What stands in the log and in the audit log once these pieces of output were taken. */
async function take(...pieces: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'log-'));
  const [path, auditPath] = [join(folder, 'functions.log'), join(folder, 'audit.jsonl')];
  const log = openFunctionLog(path, auditPath);
  const output = new PassThrough();
  log.take(output);
  for (const piece of pieces) output.write(piece);
  output.end();
  await new Promise((resolve) => setImmediate(resolve));
  log.write({ level: 'error', message: 'of the platform' });
  await log.close();
  const [lines, audit] = [path, auditPath].map((file) => readFileSync(file, 'utf8').split('\n').slice(0, -1));
  return { lines, audit };
}

test('audit lines stand in the audit log and nowhere else, also where they come in pieces', async () => {
  const { lines, audit } = await take(
    '{"level":"info","n":1}\n{"level":"au',
    'dit","n":2}\n{"level":"warn"}\n',
  );
  expect(audit).toEqual(['{"level":"audit","n":2}']);
  expect(lines?.slice(0, 2)).toEqual(['{"level":"info","n":1}', '{"level":"warn"}']);
});

test('a line of the platform itself begins with its level and its time', async () => {
  const { lines } = await take();
  expect(lines).toEqual([
    expect.stringMatching(/^\{"level":"error","time":"[\d-]{10}T[\d:.]{12}Z","message":"of the platform"\}$/),
  ]);
});
