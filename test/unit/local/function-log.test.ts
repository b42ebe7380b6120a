import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openFunctionLog } from '#infra/local/lambda/function-log';
import { newFolder } from '../support/folder.ts';

test('the function log separates audit lines, also from pieces of output, and adds lines of the platform', async () => {
  const folder = newFolder();
  const paths = [join(folder, 'functions.log'), join(folder, 'audit.jsonl')] as const;
  const log = openFunctionLog(...paths);
  const output = new PassThrough();
  log.take(output);
  output.write('{"level":"info","n":1}\n{"level":"au');
  output.end('dit","n":2}\n{"level":"warn"}');
  await setImmediate();
  log.write({ level: 'error', message: 'of the platform' });
  await log.close();
  const [lines, audit] = paths.map((file) => readFileSync(file, 'utf8').split('\n').slice(0, -1));
  expect(audit).toEqual(['{"level":"audit","n":2}']);
  const own = /^\{"level":"error","time":"[\d-]{10}T[\d:.]{12}Z","message":"of the platform"\}$/;
  expect(lines).toEqual(['{"level":"info","n":1}', '{"level":"warn"}', expect.stringMatching(own)]);
});
