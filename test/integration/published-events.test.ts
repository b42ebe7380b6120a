import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import { EVENT_TYPES } from '#lib/settings';
import { DAY_MS } from '#lib/time';
import { announceTokens } from '#lib/token/expiring';
import { openTarget } from '../../infra/admin/target.ts';
import { newFolder } from './folder.ts';
import { startInstance } from './instance-process.ts';
import { run } from './operator.ts';
import { type Call, call, noted } from './service.ts';

const ajv = formats.default(new Ajv2020());

interface Published {
  readonly 'detail-type': string;
  readonly detail: Readonly<Record<string, unknown>> & { readonly username: string };
}

const data = await newFolder();
const env = { Settings__Events: EVENT_TYPES.join(','), Settings__BcryptCost: '10' };
const { ready } = await startInstance({ data, args: ['--no-demo', '--memory'], env });
const admin: Call = { token: noted(ready.admin.token as string), base: ready.url };

beforeAll(async () => {
  const operate = (...args: string[]) => run(args, '', { where: ['--data', data] });
  const post = (path: string, request = {}) => call('POST', `/api/core/${path}`, { ...admin, ...request });
  await operate('team', 'create', 'OPS', '--name', 'Operations');
  await operate('account', 'create', 'ada', '--app', 'core', '--app', 'crm', '--team', 'OPS', '--role', 'a');
  for (const verb of ['lock', 'unlock']) await post(`account/${verb}/ada`);
  noted((await post('token/create/ci/ada')).body.data.value);
  noted((await post('token/create/cd/ada')).body.data.value);
  await post('token/delete/ci/ada');
  await post('account/cancel/ada');
  await post('account/reactivate/ada', { json: { revoke_tokens: true } });
  await post('account/cancel/ada');
  await operate('account', 'reactivate', 'ada');
  noted((await post('token/create/ends/ada', { json: { expires_in_days: 20 } })).body.data.value);
  const { code } = (await post('account/code/ada')).body.data;
  const json = { username: 'ada', code: noted(code as string), new_password: noted('correct horse') };
  noted((await call('POST', '/api/core/account/password', { base: ready.url, json })).body.data.JWTtoken);
  const current = { current_password: 'correct horse', new_password: noted('battery staple') };
  const own = { token: noted((await post('token/create/own/ada')).body.data.value), base: ready.url };
  noted((await call('POST', '/api/core/account/password', { ...own, json: current })).body.data.JWTtoken);
  await run(['account', 'password', 'ada', '--password-stdin'], noted('hunter2-hunter2'), {
    where: ['--data', data],
  });
  const { runtime } = await openTarget({ data });
  // As the job does a week later.
  await announceTokens({ ...runtime, now: () => Date.now() + 7 * DAY_MS }, 'run-1');
  noted((await post('token/rotate/ends/ada')).body.data.value);
});

const published = async (): Promise<Published[]> =>
  (await readFile(join(data, 'events.jsonl'), 'utf8'))
    .split('\n')
    .flatMap((line) => (line ? [JSON.parse(line) as Published] : []))
    .filter(({ detail }) => detail.username === 'ada');

test('every change of state is published, in requests and in commands, and counted', async () => {
  const events = await published();
  expect(events.map((event) => [event['detail-type'], event.detail['transition']])).toEqual([
    ['user_create', 0],
    ['user_lock', 1],
    ['user_unlock', 2],
    ['token_create', 2],
    ['token_create', 2],
    ['token_delete', 2],
    ['user_cancel', 3],
    ['user_reactivate', 4],
    ['user_cancel', 5],
    ['user_reactivate', 6],
    ['token_create', 6],
    ['password_change', 6],
    ['token_create', 6],
    ['password_change', 6],
    ['password_change', 6],
    ['token_expiring', 6],
    ['token_rotate', 6],
  ]);
  expect(events[7]?.detail).toMatchObject({ tokens_revived: 0, tokens_revoked: 1, reactivated_by: 'admin' });
  const changes = events.filter((event) => event['detail-type'] === 'password_change');
  expect(changes.map(({ detail }) => [detail['changed_with'], detail['changed_by']])).toEqual([
    ['code', 'ada'],
    ['password', 'ada'],
    ['command', expect.stringMatching(/^operator:/)],
  ]);
  expect(events[9]?.detail).toMatchObject({ reactivated_by: expect.stringMatching(/^operator:/) });
});

test('an event of a command has the id that its line of the audit log has', async () => {
  const { stdout } = await run(['audit', '--json'], '', { where: ['--data', data] });
  const lines = JSON.parse(stdout) as { action: string; requestId: string | null }[];
  const { detail } = (await published())[9] as Published;
  expect(lines.filter(({ requestId }) => requestId === detail['requestID'])).toMatchObject([
    { action: 'admin account reactivate', actor: detail['reactivated_by'], outcome: 'ok' },
  ]);
});

describe('what is really published is valid against the published schema, and has no other field', () => {
  test.each(EVENT_TYPES)('%s', async (type) => {
    const events = (await published()).filter((event) => event['detail-type'] === type);
    expect(events).not.toEqual([]);
    for (const { detail } of events) {
      const text = await readFile(`lib/event/schemas/${type}-${detail['version']}.json`, 'utf8');
      const validate = ajv.compile({ ...JSON.parse(text), $id: undefined, additionalProperties: false });
      expect([validate(detail), validate.errors]).toEqual([true, null]);
    }
  });
});
