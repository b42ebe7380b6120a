import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { listen } from '../../../infra/local/machine/listen.ts';
import { openInstance } from './operator.ts';

const { run, describeInstance } = await openInstance();

test('doctor ends each check when nothing answers', async () => {
  const silent = await listen(createServer(() => undefined));
  describeInstance({ url: silent.url, dynamodb: silent.url });
  const { stdout } = await run(['doctor', '--audit-seconds', '0']);
  // Three attempts of 1.5 s, or where the machine is busy the end of the check.
  expect(stdout).toMatch(/^wrong {4}table +cannot be checked: .*no answer within (1500|5000) ms/m);
  expect(stdout).toMatch(/^wrong {4}login +cannot be checked: .*no answer within 5000 ms/m);
  await silent.close();
});
