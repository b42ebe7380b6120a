import { afterAll, beforeEach, expect, test } from 'vitest';
import { createUser, get, noted, post, target } from '../integration/service.ts';
import { openProxy } from '../wire/dynamodb-proxy.ts';
import { instance } from './deployed.ts';
import { openRuntime, platform } from './lambda.ts';

await target();
const wire = await openProxy(instance.dynamodb);
afterAll(() => wire.close());
beforeEach(() => wire.reset());

/** The operations of a function on the table. */
const operationsOf = (id: string) =>
  wire.commands.filter(({ sender }) => sender === id).map(({ operation }) => operation);

const { base, environment } = await openRuntime(platform({ dynamodb: wire.url }));

test.each([
  ['system.ping', ['Query']],
  ['account.login', ['Query']],
  ['docs.page', []],
  ['events.relay-outbox', []],
])('the init phase of %s sends %j to the table', async (id, operations) => {
  await (await environment(id)).initialised();
  expect(operationsOf(id)).toEqual(operations);
});

test('a function answers its first request when the table did not answer in its init phase', async () => {
  const { username, password } = await createUser();
  const login = await post('/api/core/account/login', { base, json: { username, password } });
  const jwt = noted(login.body.data.JWTtoken);
  wire.script(() => 'hang');
  const { initialised, offences } = await environment('account.sessions');
  await initialised();
  // Nothing is in flight that could survive a freeze.
  await wire.settled();
  wire.reset();
  expect(await get('/api/core/account/sessions', { base, jwt })).toMatchObject({ status: 200 });
  expect(offences).toEqual([]);
  expect(operationsOf('account.sessions').slice(0, 2)).toEqual(['Query', 'GetItem']);
});
