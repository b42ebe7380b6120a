import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CLIENT_LIMITS } from '#lib/network/aws';
import { createToken } from '#lib/token/create';
import { ServiceError } from '../../../infra/local/machine/serve-aws.ts';
import { OPERATOR_ARN } from '../../integration/cloud-formation.ts';
import { by } from '../support/engine.ts';
import { openTestLogGroup } from '../support/log-groups.ts';
import { openInstance } from './operator.ts';

const { onStack, outputs, deny, bus, table, wire, runtime, account, stored } = await openInstance();
const logs = await openTestLogGroup('the-audit-log');
const create = (username: string) => ['account', 'create', username];

test('a command on a stack writes its start and its end to the stream of administrators, with the caller as a claim', async () => {
  outputs['PublishedEvents'] = 'user_create';
  expect((await onStack(create('ada'))).code).toBe(0);
  const lines = logs.lines('operators/administrator/commands')?.map(({ message }) => JSON.parse(message));
  const entry = { actor: OPERATOR_ARN, action: 'admin account create', target: 'ada' };
  expect(lines).toMatchObject([
    { level: 'audit', ...entry, outcome: 'started', changed: null },
    { level: 'audit', ...entry, outcome: 'ok', changed: true, details: { apps_added: ['core'] } },
  ]);
  expect(bus.calls.flat().map(({ DetailType }) => DetailType)).toEqual(['user_create']);
  const listed = { ...entry, actor: 'operator:administrator', details: { claimed_by: OPERATOR_ARN } };
  for (const actor of [OPERATOR_ARN, 'operator:administrator', 'operator'])
    expect(JSON.parse((await onStack(['audit', '--actor', actor, '--json'])).stdout)).toMatchObject([listed]);
});

test('a command on a stack writes to the stream of support when the policy of the caller permits only that', async () => {
  logs.script((operation, input) => {
    const isPermitted = String(input['logStreamName']).startsWith('operators/support/');
    if (operation === 'PutLogEvents' && !isPermitted) throw new ServiceError('AccessDeniedException', 'No');
    return undefined;
  });
  expect((await onStack(create('bob'))).code).toBe(0);
  expect(logs.lines('operators/support/commands')).toHaveLength(2);
});

test('a command on a stack changes nothing when its entry cannot be written', async () => {
  logs.script(() => {
    throw new ServiceError('AccessDeniedException', 'You may not write');
  });
  const { code, stderr } = await onStack(create('eve'));
  expect(code).toBe(1);
  expect(stderr).toMatch(/audit_unavailable: Nothing was changed, as the audit log .*: You may not write/);
  expect(await stored({ username: 'eve' })).toBeUndefined();
});

test.each([
  ['account', 'reset-stamps'],
  ['token', 'revoke', '--created-by', 'admin'],
])('a command that makes many changes ends when an entry cannot be written: %s %s', async (...command) => {
  await createToken(runtime, await account(), 'ci', by('admin'));
  logs.script((operation, input) => {
    const isStart = JSON.stringify(input).includes('started');
    if (operation === 'PutLogEvents' && !isStart) throw new ServiceError('AccessDeniedException', 'No more');
    return undefined;
  });
  const { code, stderr } = await onStack([...command, '--yes']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('audit_unavailable: The command stopped')]);
  expect(stderr).toContain('has the start of this command, but not its end');
});

test('a command that makes many changes continues when its entries are throttled for a moment', async () => {
  await account();
  let written = 0;
  logs.script((operation, input) => {
    const isStart = JSON.stringify(input).includes('started');
    // The SDK makes three attempts.
    if (operation === 'PutLogEvents' && !isStart && ++written <= 3)
      throw new ServiceError('ThrottlingException', 'Slow down');
    return undefined;
  });
  expect((await onStack(['account', 'reset-stamps', '--yes'])).code).toBe(0);
  expect(written).toBeGreaterThan(4);
});

test('a command on a stack keeps to its setting TokenMaxDays', async () => {
  outputs['TokenMaxDays'] = '7';
  vi.stubEnv('Settings__TokenMaxDays', '0');
  const { username } = await account();
  const { code, stderr } = await onStack(['token', 'create', 'ci', username]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('Must be given, at most 7 days ahead')]);
});

test('--table names another table than that of the stack', async () => {
  outputs['TableName'] = 'another';
  expect((await onStack(['account', 'reset-stamps', '--yes', '--table', table.name])).code).toBe(0);
  expect((await onStack(['account', 'reset-stamps', '--yes'])).stderr).toContain('table_not_found: ');
});

test.each<[string, { stack: string; options: string[]; words: string; absent?: string }]>([
  [
    'has another name',
    { stack: 'other', options: ['--region', 'eu-north-1'], words: 'There is no stack other in eu-north-1: ' },
  ],
  [
    'lacks an output',
    {
      stack: 's',
      options: [],
      words: 'unavailable: The stack s has no output TableName: deploy this version',
    },
  ],
  [
    'is in an unknown region',
    { stack: 's', options: [], words: 'no_region: Name the region', absent: 'AWS_REGION' },
  ],
  [
    'is queried without credentials',
    { stack: 's', options: [], words: 'no_credentials: Name a profile', absent: 'AWS_ACCESS_KEY_ID' },
  ],
])('a command exits with 1 when the stack %s', async (_, { stack, options, words, absent = 'NONE' }) => {
  delete outputs['TableName'];
  const before = process.env[absent];
  vi.stubEnv(absent, undefined);
  for (const file of ['CONFIG', 'SHARED_CREDENTIALS']) vi.stubEnv(`AWS_${file}_FILE`, '/dev/null');
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  const { code, stderr } = await onStack(['team', 'list'], stack, ...options);
  vi.stubEnv(absent, before);
  expect([code, stderr]).toEqual([1, expect.stringContaining(words)]);
  expect(wire.commands).toEqual([]);
});

test('a command waits when CloudFormation and STS take longer than a function may wait', async () => {
  const { requestHandler } = CLIENT_LIMITS;
  const limits = { ...requestHandler };
  onTestFinished(() => void Object.assign(requestHandler, limits));
  requestHandler.requestTimeout = 50;
  deny(() => sleep(100, false));
  expect((await onStack(['team', 'list'])).code).toBe(0);
});

test.each([
  ['CLOUDFORMATION', 'CloudFormation DescribeStacks: '],
  ['STS', 'STS GetCallerIdentity: '],
])('a command names what to check when it cannot reach %s', async (service, operation) => {
  const name = `AWS_ENDPOINT_URL_${service}`;
  const before = process.env[name];
  vi.stubEnv(name, 'http://127.0.0.1:1');
  const { code, stderr } = await onStack(['team', 'list']);
  vi.stubEnv(name, before);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`stack_unreachable: ${operation}`)]);
  for (const word of ['ECONNREFUSED', 'network', '--region', 'AWS_PROFILE', '--stack'])
    expect(stderr).toContain(word);
});
