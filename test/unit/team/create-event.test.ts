import { beforeEach, expect, test, vi } from 'vitest';
import { listPending, pendingEvents } from '#lib/outbox/outbox';
import { teamKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { createTeam } from '#lib/team/team';
import { call, openEndpoints } from '../support/endpoints.ts';
import { by, NOON } from '../support/engine.ts';
import { emptyOutbox, FAILED, openTestBus } from '../support/event-bus.ts';
import { logLines } from '../support/log-lines.ts';

const { table, wire, runtime, caller, operations } = await openEndpoints({ Events: 'team_create' });
const bus = await openTestBus();
vi.stubEnv('EVENT_BUS_NAME', 'bus').stubEnv('Settings__Events', 'team_create');
// Only this file loads the function, with its table.
vi.resetModules();
const { handler } = await import('../../../functions/team/create.ts');
logLines();

const announcer = { publish: bus.publish, actor: by('operator:ada') };
let teams = 0;
const input = () => ({ short: `Ops-${teams++}`, name: 'Operations', type: 'internal' });

beforeEach(() => emptyOutbox(table));

test('team.create publishes team_create for the team as created', async () => {
  const { account, headers } = await caller({ username: 'Root', roles: ['sys_administrator'] });
  const { short, ...body } = input();
  const { status, payload } = await call(handler, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    pathParameters: { short },
    body: JSON.stringify(body),
  });
  expect(status).toBe(200);
  const { data: team } = payload as { data: object };
  expect(team).toMatchObject({ team_short: short });
  expect(bus.details()).toEqual([
    [
      {
        version: '1',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        hook: '[core].[team_create]',
        ...team,
        transition: 0,
        sequence: 1,
        created_at: expect.stringMatching(/Z$/),
        created_by: account.username,
        requestID: expect.any(String),
      },
    ],
  ]);
  expect(bus.calls.flat().map(({ DetailType }) => DetailType)).toEqual(['team_create']);
  expect(bus.faults()).toEqual([]);
});

test('createTeam writes the team and its event in one transaction, and leaves a refused event in the outbox', async () => {
  bus.script((entries) => ({ FailedEntryCount: 1, Entries: entries.map(() => FAILED) }));
  wire.reset();
  const team = await createTeam(runtime, input(), announcer);
  expect(operations()).toEqual(['TransactWriteItems']);
  expect(await get(table, teamKey(team.team_short))).toMatchObject(team);
  const at = { created_at: new Date(NOON).toISOString(), created_by: 'operator:ada' };
  expect(await pendingEvents(table)).toMatchObject([
    { detailType: 'team_create', createdAt: NOON, detail: { ...team, ...at } },
  ]);
  expect((await listPending(runtime, {})).items).toMatchObject([{ type: 'team_create', username: null }]);
});

test('createTeam publishes nothing when the team exists', async () => {
  const taken = input();
  await createTeam(runtime, taken);
  await expect(createTeam(runtime, taken, announcer)).rejects.toMatchObject({ code: 'team_exists' });
  expect(bus.calls).toEqual([]);
  expect(await pendingEvents(table)).toEqual([]);
});

test('createTeam publishes nothing unless Settings:Events names team_create', async () => {
  const silent = { ...runtime, settings: { ...runtime.settings, Events: [] } };
  const team = await createTeam(silent, input(), announcer);
  expect(await get(table, teamKey(team.team_short))).toMatchObject(team);
  expect(bus.calls).toEqual([]);
  expect(await pendingEvents(table)).toEqual([]);
});
