import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { folders } from '../integration/folder.ts';
import { openExecutionEnvironment } from './execution-environment.ts';

const ANSWER = '{ statusCode: 200 }';

/** A handler that, besides its answer, does something later: when it goes on after it was frozen. */
const later = (what: string) =>
  `exports.handler = async (event, { awsRequestId }) => {
     if (!event.again) setTimeout(async () => { ${what} }, 50);
     return ${ANSWER};
   };`;

const AGAIN = `await fetch(
  'http://' + process.env.AWS_LAMBDA_RUNTIME_API + '/2018-06-01/runtime/invocation/' + awsRequestId + '/response',
  { method: 'POST', body: '{}' });`;

/** Two events for a handler with half a second between them; what was seen of it, failures included. */
async function run(source: string) {
  const folder = await mkdtemp(join(tmpdir(), 'fault-'));
  folders.push(folder);
  await writeFile(join(folder, 'index.cjs'), source);
  const definition = {
    id: 'a.fault',
    folder,
    handler: 'index.handler',
    memory: 512,
    timeout: 15,
    variables: {},
  };
  const environment = await openExecutionEnvironment(definition, {});
  const send = (event: object, requestId: string) =>
    environment.invoke(event, requestId, 'Root=1').catch((error: Error) => error.message);
  const answers = [await send({}, 'one')];
  await sleep(500);
  answers.push(await send({ again: true }, 'two'));
  await sleep(500);
  answers.push(await send({ again: true }, 'three'));
  await environment.close();
  return [...answers, ...environment.offences, environment.output()].join('\n');
}

test.concurrent.each([
  ['cannot be initialised', `throw new Error('of its init');`, /Failed to initialise: .*of its init/],
  ['throws', `exports.handler = async () => { throw new Error('of an event'); };`, /Failed: .*of an event/],
  ['answers an event again', later(AGAIN), /invocation\/one\/response, which nothing waits for/],
  ['leaves a rejection unhandled', later(`throw new Error('late')`), /ended with 1[\s\S]*Error: late/],
  ['ends', later('process.exit(3)'), /The runtime has ended with 3/],
])('a function that %s is found out', async (_, source, sign) => {
  expect(await run(source)).toMatch(sign);
});

test('a function without a fault is not', async () => {
  expect(await run(later(''))).toBe(`${Array(3).fill('{"statusCode":200}').join('\n')}\n`);
});
