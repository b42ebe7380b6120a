import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLambda } from '#infra/local/lambda/lambda';
import { relayOutbox } from '#lib/outbox/jobs';
import { newFolder } from '../support/folder.ts';

test.each([
  ['no error when a stop ends it', 'await new Promise(() => {})', 0],
  ['an error when it fails before', 'process.exit(3)', 1],
])('an invocation logs %s', async (_, body, errors) => {
  const file = join(newFolder(), 'index.cjs');
  writeFileSync(file, `exports.handler = async () => { ${body} };`);
  const lines: unknown[] = [];
  const log = { take: () => undefined, write: (line: unknown) => void lines.push(line) };
  const lambda = openLambda(
    () => ({}),
    log,
    () => file,
  );
  const failed = expect(lambda.invoke(relayOutbox.id, {})).rejects.toThrow('Exited');
  if (errors > 0) await failed;
  await lambda.close();
  await failed;
  expect(lines).toHaveLength(errors);
});
