import { expect, test, vi } from 'vitest';
import { ServiceError } from '../../../infra/local/machine/serve-aws.ts';
import { openTestLogGroup } from '../support/log-groups.ts';
import { openInstance } from './operator.ts';

const { onStack, outputs, bus, table, wire } = await openInstance();
const logs = await openTestLogGroup('the-audit-log');
const create = (username: string) => ['account', 'create', username];

test('a command on a stack writes to its audit log, in a stream of its own, and audit reads it', async () => {
  outputs['AuditLogGroupName'] = 'the-audit-log';
  outputs['PublishedEvents'] = 'user_create';
  expect((await onStack(create('ada'))).code).toBe(0);
  const [line] = logs.lines('operators') ?? [];
  const entry = { action: 'admin account create', target: 'ada', outcome: 'ok', changed: true };
  expect(JSON.parse(line?.message ?? '')).toMatchObject({ level: 'audit', ...entry });
  expect(bus.calls.flat().map(({ DetailType }) => DetailType)).toEqual(['user_create']);
  expect(JSON.parse((await onStack(['audit', '--target', 'ada', '--json'])).stdout)).toMatchObject([entry]);
});

test('a command on a stack works, and reports it, when its line cannot be written', async () => {
  const stderr = expect.stringContaining('The stack has no audit log yet, so this');
  expect(await onStack(create('eve'))).toMatchObject({ code: 0, stderr });
  const none = expect.stringContaining('deploy it again');
  expect(await onStack(['audit'])).toMatchObject({ code: 1, stderr: none });
  expect(logs.calls).toEqual([]);
  outputs['AuditLogGroupName'] = 'the-audit-log';
  logs.script(() => {
    throw new ServiceError('AccessDeniedException', 'You may not write');
  });
  const refused = expect.stringContaining('not recorded, as the audit log cannot be written: You may');
  expect(await onStack(create('bob'))).toMatchObject({ code: 0, stderr: refused });
});

test('--table names another table than that of the stack', async () => {
  outputs['TableName'] = 'another';
  expect((await onStack(['account', 'reset-stamps', '--yes', '--table', table.name])).code).toBe(0);
  expect((await onStack(['account', 'reset-stamps', '--yes'])).stderr).toContain('ResourceNotFoundException');
});

test.each([
  ['has another name', 'other', ['--region', 'eu-north-1'], 'There is no stack other in eu-north-1: '],
  ['lacks an output', 's', [], 'unavailable: The stack s has no output TableName'],
  ['is in an unknown region', 's', [], 'no_region: Name the region'],
])('a command exits with 1 when the stack %s', async (what, stack, options, words) => {
  delete outputs['TableName'];
  if (what === 'is in an unknown region') {
    vi.stubEnv('AWS_REGION', undefined);
    vi.stubEnv('AWS_CONFIG_FILE', '/dev/null');
  }
  const { code, stderr } = await onStack(['team', 'list'], stack, ...options);
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  expect([code, stderr]).toEqual([1, expect.stringContaining(words)]);
  expect(wire.commands).toEqual([]);
});
