import { randomUUID } from 'node:crypto';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, inject, test } from 'vitest';
import type { Diagnosis } from '#infra/admin/diagnosis';
import { answerOf, keyFindings, othersOf, publishCurrentKey } from '#infra/admin/restore/published-key';
import { attributesOf, keySchema, mendTable, tableFindings } from '#infra/table/checks';
import { readTableState } from '#infra/table/state';
import { revokeKey } from '#lib/session/publish-key';
import { allPublicKeys } from '#lib/table/keys';
import { query } from '#lib/table/read';
import { TABLE } from '#lib/table/shape';
import { openTable, type Table } from '#lib/table/table';
import { NOON, openTestTable } from '../support/engine.ts';
import { openTestSecrets } from '../support/secrets.ts';
import { newKeyPair } from '../support/signing-keys.ts';

const { table, wire } = await openTestTable();
const secrets = await openTestSecrets();

const made: Table[] = [];
afterAll(() => made.forEach(({ client }) => void client.destroy()));

/** A table with only its keys of the properties that the stack sets. */
async function bareTable(): Promise<Table> {
  const bare = openTable(`bare-${randomUUID()}`, inject('engine'));
  made.push(bare);
  await bare.client.send(
    new CreateTableCommand({
      TableName: bare.name,
      AttributeDefinitions: attributesOf(TABLE),
      KeySchema: keySchema(TABLE),
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
    }),
  );
  await expect.poll(async () => (await readTableState(bare)).description.TableStatus).toBe('ACTIVE');
  return bare;
}

const findings = async (of: Table) =>
  Object.fromEntries(tableFindings(await readTableState(of)).map(({ check, state }) => [check, state]));
const missingOf = async (of: Table) =>
  Object.entries(await findings(of)).flatMap(([check, state]) => (state === 'missing' ? [check] : []));

test('mendTable adds everything that a table lacks, one after the other', async () => {
  const bare = await bareTable();
  const lacking = ['billing_mode', 'index_GSI1', 'index_GSI2', 'time_to_live', 'deletion_protection'];
  expect(await missingOf(bare)).toEqual(lacking);
  for (const check of await missingOf(bare)) await mendTable(bare, check, 10);
  expect(await missingOf(bare)).toEqual([]);
  expect((await findings(bare))['point_in_time_recovery'], 'not known to the engine').toBe('unknown');
});

test.each([['DescribeTimeToLive'], ['DescribeContinuousBackups'], ['DescribeTable']])(
  'readTableState fails when %s is denied',
  async (refused) => {
    wire.script((operation) =>
      operation === refused ? { status: 400, body: { __type: 'AccessDeniedException' } } : undefined,
    );
    await expect(readTableState(table)).rejects.toMatchObject({ name: 'AccessDeniedException' });
  },
);

test('readTableState refuses a table that does not exist', async () => {
  await expect(readTableState({ ...table, name: 'nowhere' })).rejects.toThrow('There is no table nowhere');
});

test('mendTable waits for an index that is being built', async () => {
  const bare = await bareTable();
  await mendTable(bare, 'billing_mode', 10);
  let described = 0;
  const body = { Table: { TableStatus: 'ACTIVE', GlobalSecondaryIndexes: [{ IndexStatus: 'CREATING' }] } };
  wire.script(async (operation) =>
    operation === 'DescribeTable' && ++described <= 2 ? { status: 200, body } : undefined,
  );
  await mendTable({ ...table, name: bare.name }, 'index_GSI1', 1);
  // The SDK may repeat a command on a busy machine.
  expect(wire.commands.findIndex(({ operation }) => operation === 'UpdateTable')).toBeGreaterThan(2);
  expect(wire.commands.at(-1)?.operation, 'until the change is done').toBe('DescribeTable');
});

const storeOf = (SecretId: string) => ({ secrets: secrets.client, SecretId, table });
const find = async (secret: string) => (await keyFindings(storeOf(secret), NOON))[0] as Diagnosis;
const newSecret = async () => {
  const { privateJwk } = await newKeyPair();
  const secret = await secrets.create(JSON.stringify(privateJwk));
  return { secret, kid: privateJwk.kid };
};

test('the current signing key is missing in a table from before it, and is published without its private half', async () => {
  const { secret, kid } = await newSecret();
  expect((await find(secret)).state).toBe('missing');
  expect(secrets.operations(), 'the private key stays unread').not.toContain('GetSecretValue');
  await publishCurrentKey(storeOf(secret), NOON);
  expect(await find(secret)).toEqual({ check: 'signing_key', state: 'ok', found: kid });
  const item = (await query(table, allPublicKeys)).find(({ jwk }) => jwk.kid === kid);
  expect(item?.jwk).not.toHaveProperty('d');
});

test('the current signing key is not published when it was revoked or is no key', async () => {
  const { secret, kid } = await newSecret();
  await publishCurrentKey(storeOf(secret), NOON);
  await revokeKey(table, kid, NOON);
  expect((await find(secret)).state).toBe('wrong');
  for (const SecretId of [secret, await secrets.create('none')])
    await expect(publishCurrentKey(storeOf(SecretId), NOON)).rejects.toThrow('no key that may sign');
});

const jwk = { kty: 'EC', kid: 'k' };
const NOON_SECONDS = NOON / 1000;
test.each([
  ['ok', 'v', [{ jwk, secret_version: 'v' }]],
  ['ok', 'v', [{ jwk, secret_version: 'v', expires_at: NOON_SECONDS + 31 * 86_400 }]],
  ['missing', 'v', [{ jwk, secret_version: 'v', expires_at: NOON_SECONDS + 86_400 }]],
  ['missing', 'v', [{ jwk, secret_version: 'other' }]],
  ['missing', 'v', [{ jwk }]],
  ['missing', undefined, [{ jwk }]],
  ['missing', 'v', []],
  ['wrong', 'v', [{ jwk, secret_version: 'v', expires_at: 0, revoked_at: NOON_SECONDS }]],
])('the current signing key is %s where version %s is current, of %j', (state, version, items) => {
  expect(answerOf(version, items, NOON).state).toBe(state);
});

const other = { jwk, secret_id: 'arn:deleted' };
test.each([
  ['ok: no key of another secret verifies', [{ jwk, secret_id: 'arn:own' }, { jwk }]],
  ['ok: no key of another secret verifies', [{ ...other, expires_at: 0, revoked_at: 1 }]],
  ['ok: no key of another secret verifies', [{ ...other, expires_at: NOON_SECONDS }]],
  [
    'ok: k of another secret verifies until 2026-11-20T12:01:00.000Z: if its stack was deleted, end it with "keys revoke k"; if no stack had it: infra/admin/stolen.md, "The private key, or an operator"',
    [{ ...other, expires_at: NOON_SECONDS + 60 }],
  ],
  [
    'unknown: k of another secret verifies without an end: if its stack was deleted, end it with "keys revoke k"; if no stack had it: infra/admin/stolen.md, "The private key, or an operator"',
    [other],
  ],
])('othersOf finds %s', (expected, items) => {
  const { state, found } = othersOf({ secret: 'arn:own' }, items, NOON);
  expect(`${state}: ${found}`).toBe(expected);
});
