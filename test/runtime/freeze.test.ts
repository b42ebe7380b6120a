import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { accountKey } from '#lib/table/keys';
import { get as readItem } from '#lib/table/read';
import { update } from '#lib/table/write';
import { withoutZone } from '#lib/time';
import { createUser, get, noted, post, target } from '../integration/service.ts';
import { openProxy } from '../wire/dynamodb-proxy.ts';
import { instance } from './deployed.ts';
import { openRuntime, platform } from './lambda.ts';

/** Twice the time that a call to DynamoDB waits for its answer: it is over when the function resumes. */
const FROZEN_MS = 3000;
const TWO_MINUTES = 120_000;
const TWO_DAYS = 172_800_000;

const { runtime } = await target();
const wire = await openProxy(instance.dynamodb);
afterAll(() => wire.close());
const { base, environment } = await openRuntime(platform({ dynamodb: wire.url }));

/** Accounts whose activity is not written: the command hangs. */
const stuck = new Set<string>();

const records = (username: string, operation: string, input: object) =>
  /^(Update|TransactWrite)/.test(operation) &&
  ['lastActivity', username].every((text) => JSON.stringify(input).includes(text));
wire.script((operation, input) =>
  [...stuck].some((username) => records(username, operation, input)) ? 'hang' : undefined,
);

test.concurrent.each([
  ['system.ping', '/api/core/system/ping', 'a session', TWO_MINUTES],
  ['account.profile', '/api/core/account/profile', 'a session', TWO_DAYS],
  ['token.list-own', '/api/core/token/user', 'a token', TWO_MINUTES],
] as const)('%s, frozen while activity hangs, goes on answering %s to %s', async (id, path, kind, ago) => {
  const { username, password, token } = await createUser();
  const logIn = async () => {
    const reply = await post('/api/core/account/login', { base, json: { username, password } });
    return noted(reply.body.data.JWTtoken);
  };
  const request = { base, ...(kind === 'a token' ? { token: await token() } : { jwt: await logIn() }) };
  const before = withoutZone(Date.now() - ago);
  await update(runtime.table, {
    Key: accountKey(username),
    UpdateExpression: 'SET lastActivity = :before, never_used = :false',
    ExpressionAttributeValues: { ':before': before, ':false': false },
  });
  const attempts = () =>
    wire.commands
      .filter(({ sender, operation, input }) => sender === id && records(username, operation, input))
      .map(({ operation }) => operation);

  stuck.add(username);
  const statuses = [(await get(path, request)).status];
  const atAnswer = attempts();
  // The first answer waits for no second attempt, and nothing happens until the next event.
  expect(atAnswer).not.toEqual([]);
  expect(atAnswer).toEqual([...new Set(atAnswer)]);
  await sleep(FROZEN_MS);
  expect(attempts()).toEqual(atAnswer);

  statuses.push((await get(path, request)).status);
  await sleep(FROZEN_MS);
  stuck.delete(username);
  statuses.push((await get(path, request)).status);
  expect(statuses).toEqual([200, 200, 200]);
  const { lines, offences } = await environment(id);
  expect(offences).toEqual([]);
  const answered = expect.objectContaining({ level: 'info', status: 200 });
  expect(lines()).toEqual([answered, answered, answered]);

  // The activity of a later request is written.
  await vi.waitUntil(
    async () => {
      await get(path, request);
      return (await readItem(runtime.table, accountKey(username)))?.lastActivity !== before;
    },
    { timeout: 30_000 },
  );
});
