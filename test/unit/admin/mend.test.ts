import { randomUUID } from 'node:crypto';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, inject, test } from 'vitest';
import type { Diagnosis } from '#infra/admin/diagnosis';
import {
  answerOf,
  keyFindings,
  othersOf,
  publishCurrentKey,
  ringOf,
} from '#infra/admin/restore/published-key';
import { attributesOf, keySchema, mendTable, tableFindings } from '#infra/table/checks';
import { readTableState } from '#infra/table/state';
import { RESOURCE_KEYS } from '#lib/resource/key-use';
import { type KeyUse, SESSION_KEYS } from '#lib/session/key-use';
import { RESOURCE_LEAD_MS } from '#lib/session/lead';
import { revokeKey } from '#lib/session/publish-key';
import { allPublicKeys, allResourceKeys } from '#lib/table/keys';
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

const storeOf = (SecretId: string, use: KeyUse = SESSION_KEYS) => ({
  secrets: secrets.client,
  SecretId,
  table,
  use,
});
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

/** A secret with the key that signs and its successor. */
const newRing = async () => {
  const [signing, next] = [await newKeyPair('RS256'), await newKeyPair('RS256')];
  const secret = await secrets.create(JSON.stringify(next.privateJwk));
  await secrets.put(secret, JSON.stringify(signing.privateJwk), ['SIGNING']);
  return {
    store: storeOf(secret, RESOURCE_KEYS),
    kids: [signing, next].map(({ publicJwk }) => publicJwk.kid),
  };
};
const publishedOf = async (kids: readonly string[]) =>
  (await query(table, allResourceKeys)).filter(({ jwk: { kid } }) => kids.includes(kid));

test('both keys of other services are missing in a table from before them, and are published without a private member', async () => {
  const { store, kids } = await newRing();
  secrets.calls.length = 0;
  const [own, others] = await keyFindings(store, NOON);
  expect(own).toMatchObject({ check: 'resource_key', state: 'missing' });
  expect(own?.found).toMatch(/none of them the signing one; .*, none of them the current one$/);
  expect(others?.check).toBe('other_resource_keys');
  expect(secrets.operations(), 'the private keys stay unread').not.toContain('GetSecretValue');
  await publishCurrentKey(store, NOON);
  const found = `${kids[0]} signs, ${kids[1]} is next`;
  expect((await keyFindings(store, NOON))[0]).toEqual({ check: 'resource_key', state: 'ok', found });
  const published = await publishedOf(kids);
  expect(published).toHaveLength(2);
  for (const item of published) {
    expect(Object.keys(item.jwk).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    expect(await query(table, allPublicKeys), 'sessions are verified by others').not.toContainEqual(item);
  }
});

test('a key of other services that is revoked stays so, and the other one is published again', async () => {
  const { store, kids } = await newRing();
  await publishCurrentKey(store, NOON);
  await revokeKey(table, kids[0] as string, NOON, RESOURCE_KEYS);
  await publishCurrentKey(store, NOON);
  expect((await publishedOf(kids)).filter(({ revoked_at }) => revoked_at === undefined)).toHaveLength(1);
  await revokeKey(table, kids[1] as string, NOON, RESOURCE_KEYS);
  await expect(publishCurrentKey(store, NOON)).rejects.toThrow(
    'The secret has no key that may sign: "keys rotate --resources" creates another',
  );
});

const LEAD_SECONDS = RESOURCE_LEAD_MS / 1000;
const half = (kid: string, secondsAgo: number, more: object = {}) => ({
  jwk: { kid, kty: 'RSA' },
  secret_id: 'arn:own',
  secret_version: kid,
  published_at: NOON_SECONDS - secondsAgo,
  ...more,
});
const revoked = { expires_at: 0, revoked_at: NOON_SECONDS };
const KNOWN_OTHER = half('z', LEAD_SECONDS, { secret_id: 'arn:other' });
const WAITS =
  'unknown: s signs from 2026-11-20T14:09:50.000Z, until then requests for tokens of other services are answered 503: gateways know z of another secret, whose stack may sign; if it was deleted, "keys revoke z" lets the own key sign at once, and gateways may refuse its tokens for 2 hours';
test.each([
  ['ok: s signs, n is next', [half('s', 10), half('n', 0)]],
  ['ok: s signs, n is next', [half('s', 9e9), half('n', 9e9)]],
  ['missing: the table has 1 public keys, none of them the current one', [half('s', 10)]],
  ['missing: the table has 1 public keys, none of them the signing one', [half('n', 10)]],
  [
    'missing: s is retired in the table but signs',
    [half('s', 10, { expires_at: NOON_SECONDS + 899 }), half('n', 0)],
  ],
  ['ok: s signs, n is next', [half('s', 10, { expires_at: NOON_SECONDS + 900 }), half('n', 0)]],
  ['wrong: s was revoked: "keys rotate --resources" creates another', [half('s', 10, revoked), half('n', 0)]],
  ['wrong: n was revoked: "keys rotate --resources" creates another', [half('s', 10), half('n', 0, revoked)]],
  [WAITS, [half('s', 10), half('n', 0), KNOWN_OTHER, half('y', 0, { secret_id: 'arn:other' })]],
  ['ok: s signs, n is next', [half('s', 10), half('n', 0), { ...KNOWN_OTHER, ...revoked }]],
  ['ok: s signs, n is next', [half('s', LEAD_SECONDS), half('n', 0), KNOWN_OTHER]],
])('ringOf finds %s', (expected, items) => {
  const { state, found } = ringOf(
    { secret: 'arn:own', signing: 's', current: 'n' },
    items,
    NOON,
    RESOURCE_KEYS,
  );
  expect(`${state}: ${found}`).toBe(expected);
});
