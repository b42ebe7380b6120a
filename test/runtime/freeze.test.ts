import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { accountKey } from '#lib/table/keys';
import { get as readItem } from '#lib/table/read';
import { update } from '#lib/table/write';
import { withoutZone } from '#lib/time';
import { type Call, createUser, get, noted, post, target, type User } from '../integration/service.ts';
import { openProxy } from '../wire/dynamodb-proxy.ts';
import { instance } from './deployed.ts';
import { openRuntime, platform } from './lambda.ts';

/** Twice what a call to DynamoDB waits for its answer, so that this time is over when the function goes on. */
const FROZEN_MS = 3000;

/** It comes with the next request, on a busy machine too. */
const WRITTEN = { timeout: 30_000 };

const { runtime } = await target();
const wire = await openProxy(instance.dynamodb, 0);
afterAll(() => wire.close());
const { base, environment } = await openRuntime(platform({ dynamodb: wire.url }));

/** The accounts whose activity nobody writes: what would, hangs. */
const stuck = new Set<string>();

const records = (username: string, operation: string, input: object) => {
  const text = JSON.stringify(input);
  return (
    /^(Update|TransactWrite)/.test(operation) && text.includes('lastActivity') && text.includes(username)
  );
};
wire.script((operation, input) =>
  [...stuck].some((username) => records(username, operation, input)) ? 'hang' : undefined,
);

const session = async ({ username, password }: User): Promise<Call> => {
  const reply = await post('/api/core/account/login', { base, json: { username, password } });
  return { base, jwt: noted(reply.body.data.JWTtoken) };
};
const apiToken = async (user: User): Promise<Call> => ({ base, token: await user.token() });

const TWO_MINUTES = 120_000;
const TWO_DAYS = 172_800_000;

test.concurrent.each([
  ['system.ping', '/api/core/system/ping', 'a session seen two minutes ago', session, TWO_MINUTES],
  ['account.profile', '/api/core/account/profile', 'a session seen two days ago', session, TWO_DAYS],
  ['token.list-own', '/api/core/token/user', 'a token never used', apiToken, TWO_MINUTES],
] as const)(
  '%s, frozen while activity hangs, goes on answering %s to %s',
  async (id, path, _, enter, ago) => {
    const user = await createUser();
    const { username } = user;
    const request = await enter(user);
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
    // The first answer waits for none of them to be tried again; nor does anything happen until the next event.
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

    // What hung is given up; what comes next is written.
    await vi.waitUntil(async () => {
      await get(path, request);
      return (await readItem(runtime.table, accountKey(username)))?.lastActivity !== before;
    }, WRITTEN);
  },
);
