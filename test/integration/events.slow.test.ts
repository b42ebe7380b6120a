import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, inject, test, vi } from 'vitest';
import { createAccount } from '#lib/account/create';
import { createTeam } from '#lib/account/team';
import { pendingEvents } from '#lib/outbox/outbox';
import { openTarget } from '../../infra/admin/target.ts';
import { newFolder } from './folder.ts';
import { startInstance } from './instance-process.ts';
import { admin, createUser, noted, post, target, uniqueName } from './service.ts';

interface Delivered {
  readonly source: string;
  readonly 'detail-type': string;
  readonly detail: { readonly id: string; readonly username: string };
}

/** The events that the bus of an instance has delivered for an account. */
async function delivered(data: string, username: string): Promise<Delivered[]> {
  const text = await readFile(join(data, 'events.jsonl'), 'utf8').catch(() => '');
  const events = text.split('\n').flatMap((line) => (line ? [JSON.parse(line) as Delivered] : []));
  return events.filter(({ detail }) => detail.username === username);
}

describe.skipIf(inject('stack'))('cancelling an account', () => {
  test('publishes one event with all that clean-up needs and nothing secret', async () => {
    const { runtime } = await target();
    const team = await createTeam(runtime, { short: uniqueName('t'), name: 'Team', type: 'internal' });
    const user = await createUser({ apps: ['billing', 'core'], roles: ['a'], teams: [team.team_short] });
    const reply = await post(`/api/core/account/cancel/${user.username}`, admin);
    const events = await delivered(inject('data'), user.username);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ source: 'core.account', 'detail-type': 'user_cancel' });
    expect(events[0]?.detail).toEqual({
      version: '1',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      hook: '[billing].[user_cancel]',
      app: 'billing',
      apps: ['billing', 'core'],
      username: user.username,
      userid: user.account.id,
      transition: 1,
      cancelled_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d.*Z$/),
      cancelled_by: 'admin',
      teams: [{ team_id: team.team_id, team_short: team.team_short }],
      roles: ['a'],
      requestID: reply.body.requestID,
    });
  });
});

/** A bus that answers every call like this, undefined meaning never. */
async function openBus(answer: (entries: number) => [number, object] | undefined) {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const result = answer((JSON.parse(text) as { Entries: unknown[] }).Entries.length);
    if (!result) return;
    response
      .writeHead(result[0], { 'content-type': 'application/x-amz-json-1.1' })
      .end(JSON.stringify(result[1]));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe.concurrent('an event is never lost', () => {
  test.each<[string, (entries: number) => [number, object] | undefined]>([
    ['answers 500', () => [500, { __type: 'InternalException' }]],
    [
      'refuses the entry',
      (entries) => [
        200,
        { FailedEntryCount: entries, Entries: Array(entries).fill({ ErrorCode: 'ThrottlingException' }) },
      ],
    ],
    ['never answers, and the instance is killed', () => undefined],
  ])('when the bus %s', async (what, answer) => {
    const data = await newFolder();
    const bus = await openBus(answer);
    const first = await startInstance({ data, env: { AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url } });
    const token = noted(first.ready.admin.token as string);
    const { runtime } = await openTarget({ data });
    const { username } = await createAccount(runtime, { username: uniqueName() });
    const request = post(`/api/core/account/cancel/${username}`, { token, base: first.ready.url });
    if (what.startsWith('never')) {
      request.catch(() => undefined);
      await vi.waitUntil(async () => (await pendingEvents(runtime.table)).length === 1, {
        timeout: 120_000,
      });
      await first.kill();
    } else {
      const reply = await request;
      expect(reply.status).toBe(200);
      expect(reply.body.data).toMatchObject({ isactive: false, changed: true });
      expect(await first.stop()).toBe(0);
    }
    bus.close();
    expect(await delivered(data, username)).toEqual([]);

    await startInstance({ data });
    await vi.waitUntil(async () => (await delivered(data, username)).length > 0, { timeout: 120_000 });
    const ids = new Set((await delivered(data, username)).map(({ detail }) => detail.id));
    expect(ids.size).toBe(1);
  });
});
