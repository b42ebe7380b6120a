import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { outboxKey } from '#lib/table/keys';
import { put, remove } from '#lib/table/write';
import { NAMES } from '../../infra/local/machine/resource-names.ts';
import type { InstanceFile } from '../../infra/local/ready.ts';
import { openCloudFormation } from './cloud-formation.ts';
import { json, run } from './operator.ts';
import { target } from './service.ts';

const id = 'an-event-of-the-doctor';
afterEach(async () => remove((await target()).runtime.table, outboxKey(id)));

const own = inject('stack') === undefined ? ['service'] : ['service', 'outputs'];

test('an instance that is well is said to be so, a line a check', async () => {
  const { code, answer } = await json(['doctor']);
  expect(code, JSON.stringify(answer)).toBe(0);
  const checks = ['status', 'key_schema', 'index_GSI1', 'time_to_live', 'signing_key', 'clock'];
  expect(answer.map(({ check }: { check: string }) => check)).toEqual(
    expect.arrayContaining([...checks, 'pending_events', 'settings', 'password_cost', ...own]),
  );
  expect(answer.filter(({ state }: { state: string }) => !['ok', 'unknown'].includes(state))).toEqual([]);
});

test('what is wrong is told with what to do, and the exit status is 1', async () => {
  const { table } = (await target()).runtime;
  const createdAt = Date.now() - 86_400_000;
  const event = {
    id,
    detailType: 'test',
    createdAt,
    setAsideAt: Date.now(),
    attempts: 9,
    lastError: 'Denied',
  };
  await put(table, outboxKey(id), { ...event, detail: '{}' });
  const { code, stderr } = await run(['doctor']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^wrong +pending_events +.*\(Denied\).*"events publish"/m);
  expect(stderr).toMatch(/^ok +signing_key/m);
  expect((await json(['doctor'])).answer).toMatchObject({
    code: 'unhealthy',
    errors: [{ field: 'pending_events' }],
  });
});

describe.skipIf(inject('stack'))('of a stack, which the instance under test stands for,', () => {
  async function examine(stack: string, given: Readonly<Record<string, string>> = {}) {
    const file = await readFile(join(inject('data'), 'instance.json'), 'utf8');
    const { url, table, dynamodb, secretsmanager, credentials } = JSON.parse(file) as InstanceFile;
    const cloudFormation = await openCloudFormation({
      TableName: table,
      InstanceName: NAMES.instance,
      EventBusName: NAMES.eventBus,
      SigningKeySecretId: NAMES.signingKey,
      BcryptCost: '10',
      ApiUrl: url,
      ...given,
    });
    const env = {
      AWS_ACCESS_KEY_ID: credentials?.accessKeyId ?? 'local',
      AWS_SECRET_ACCESS_KEY: credentials?.secretAccessKey ?? 'local',
      AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url,
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsmanager,
    };
    const where = ['--stack', stack, '--region', 'us-east-1'];
    return run(['doctor'], '', { where, env }).finally(cloudFormation.close);
  }

  test('what it has lacked since it was deployed is told once, each on its line', async () => {
    const { code, stderr } = await examine('s', { AuditLogGroupName: 'a', SigningKeySecretId: 'gone' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^missing +outputs +no ArchiveArn: deploy the stack again$/m);
    expect(stderr).toMatch(/^missing +deletion_protection +off: "restore check --mend" gives it$/m);
    expect(stderr).toMatch(/^wrong +signing_key +.*: was it deleted\? Deploy the stack again$/m);
    expect(stderr).toMatch(/^ok +service/m);
    expect(stderr.match(/ArchiveArn/g)).toHaveLength(1);
  });

  test('one that there is not is told as such', async () => {
    const { code, stderr } = await examine('other');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^stack_not_found: .*other in us-east-1/),
    });
  });
});
