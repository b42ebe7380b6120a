import { UpdateTableCommand, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import { publicKeyItemKey, resourceKeyItemKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { remove } from '#lib/table/write';
import { openInstance } from './operator.ts';

const { json, run, table, signingKid, resourceKids, audited, wire } = await openInstance();
const check = ['restore', 'check', '--table', table.name];
const LOST = ['time_to_live', 'deletion_protection', 'signing_key', 'resource_key'];

/** Removes from the table what a restore loses: each test may have mended it. */
beforeEach(async () => {
  await remove(table, publicKeyItemKey(signingKid));
  for (const kid of Object.values(resourceKids)) await remove(table, resourceKeyItemKey(kid));
  const TimeToLiveSpecification = { AttributeName: 'ttl', Enabled: false };
  const off = new UpdateTimeToLiveCommand({ TableName: table.name, TimeToLiveSpecification });
  await table.client.send(off).catch(() => undefined);
  const unprotected = { TableName: table.name, DeletionProtectionEnabled: false };
  await table.client.send(new UpdateTableCommand(unprotected)).catch(() => undefined);
  wire.reset();
});

test('restore check names everything that a restored table lacks, and mends it with --mend', async () => {
  for (const _ of ['first', 'second']) {
    const message = `The table ${table.name} has faults: --mend adds only what is missing`;
    const answer = { code: 'restore_incomplete', message, errors: LOST.map((field) => ({ field })) };
    expect(await json(check)).toMatchObject({ code: 1, answer });
  }
  expect((await run(check)).stdout).toMatch(/^missing {2}time_to_live {12}off\n/m);

  const body = { __type: 'AccessDeniedException', message: 'No' };
  wire.script((operation) => (operation === 'UpdateTimeToLive' ? { status: 400, body } : undefined));
  const refused = await run([...check, '--mend']);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(LOST.map((name) => `mending  ${name}\n`).join(''));
  expect(refused.stdout).toMatch(
    /^missing {2}time_to_live {12}off; AccessDeniedException: DynamoDB UpdateTimeToLive: No$/m,
  );
  expect(refused.stdout).toMatch(/^mended {3}signing_key/m);
  expect(await get(table, publicKeyItemKey(signingKid))).toBeDefined();
  for (const kid of Object.values(resourceKids))
    expect(Object.keys((await get(table, resourceKeyItemKey(kid)))?.jwk ?? {}).sort()).toEqual([
      'alg',
      'e',
      'kid',
      'kty',
      'n',
      'use',
    ]);

  wire.reset();
  const mended = await json([...check, '--mend']);
  const stateOf = (answer: { check: string; state: string }[], state: string) =>
    answer.filter((finding) => finding.state === state).map((finding) => finding.check);
  expect([mended.code, stateOf(mended.answer, 'mended')]).toEqual([0, ['time_to_live']]);
  const after = await json(check);
  expect([after.code, stateOf(after.answer, 'mended')]).toEqual([0, []]);
  expect(stateOf(after.answer, 'unknown')).toEqual(['point_in_time_recovery']);
  const mends = (name: string) => ['ok', true, { check: name }];
  expect(audited().map(({ outcome, changed, details }) => [outcome, changed, details])).toEqual([
    ['AccessDeniedException', null, { check: 'time_to_live' }],
    mends('deletion_protection'),
    mends('signing_key'),
    mends('resource_key'),
    ['restore_incomplete', true, { table: table.name }],
    mends('time_to_live'),
    ['ok', true, { table: table.name }],
  ]);
});

test('restore check reports no fault as mended that is still missing', async () => {
  wire.script((operation) => (operation.startsWith('Update') ? { status: 200, body: {} } : undefined));
  expect((await run([...check, '--mend'])).stdout).toMatch(/^missing {2}time_to_live/m);
});

test('restore check mends nothing of a table that is not of this service', async () => {
  const body = { Table: { TableStatus: 'ACTIVE', KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }] } };
  wire.script((operation) => (operation === 'DescribeTable' ? { status: 200, body } : undefined));
  const { code, answer } = await json([...check, '--mend']);
  expect([code, answer.errors[0].field]).toEqual([1, 'key_schema']);
  expect(answer.errors.map(({ field }: { field: string }) => field)).not.toContain('signing_key');
  expect(wire.commands.filter(({ operation }) => operation.startsWith('Update'))).toEqual([]);
});
