import { setTimeout as sleep } from 'node:timers/promises';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type KeySchemaElement,
  ResourceInUseException,
  ResourceNotFoundException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { TABLE } from '#lib/table/shape';
import type { Table } from '#lib/table/table';

const POLL_MS = 10;
const ACTIVE_WITHIN_MS = 30_000;

/**
 * Makes the table where it is missing, and waits until it can be used.
 *
 * @param beforeCreate what is known of an earlier table of this name holds no more
 * @throws Error where a table of this name has other keys
 */
export async function ensureTable(table: Table, beforeCreate: () => void): Promise<void> {
  if ((await statusOf(table)) === undefined) {
    beforeCreate();
    await createTable(table);
  }
  await checkShape(table);
  const deadline = performance.now() + ACTIVE_WITHIN_MS;
  while ((await statusOf(table)) !== 'ACTIVE') {
    if (performance.now() > deadline) throw new Error(`The table ${table.name} does not become active.`);
    await sleep(POLL_MS);
  }
  await ensureTimeToLive(table);
}

/** Of the table, or of an index that is not yet built; undefined where there is no table. */
async function statusOf({ client, name }: Table): Promise<string | undefined> {
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
    const statuses = Table?.GlobalSecondaryIndexes?.map(({ IndexStatus }) => IndexStatus) ?? [];
    return statuses.find((status) => status && status !== 'ACTIVE') ?? Table?.TableStatus;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** One of another version of this project, or of another program, has other keys. */
async function checkShape({ client, name }: Table) {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
  const keysOf = (schema?: readonly KeySchemaElement[]) =>
    schema?.map(({ AttributeName }) => AttributeName).join();
  const found = new Map(Table?.GlobalSecondaryIndexes?.map((it) => [it.IndexName, keysOf(it.KeySchema)]));
  const lacking = TABLE.indexes.filter((index) => found.get(index.name) !== keysOf(keySchema(index)));
  const parts = [
    ...(keysOf(Table?.KeySchema) === keysOf(keySchema(TABLE))
      ? []
      : [`the keys ${keysOf(keySchema(TABLE))}`]),
    ...lacking.map((index) => `the index ${index.name}`),
  ];
  if (parts.length > 0)
    throw new Error(
      `The table ${name} has not ${parts.join(', ')}: another version of this project has made it, or another program.\nGo on with that version, or start anew in another data directory: npm start -- --data <dir>`,
    );
}

async function createTable({ client, name }: Table) {
  const attributes = [TABLE, ...TABLE.indexes].flatMap(({ partitionKey, sortKey }) => [
    partitionKey,
    sortKey,
  ]);
  const command = new CreateTableCommand({
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: attributes.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: keySchema(TABLE),
    GlobalSecondaryIndexes: TABLE.indexes.map((index) => ({
      IndexName: index.name,
      KeySchema: keySchema(index),
      Projection: { ProjectionType: 'ALL' },
    })),
  });
  await client.send(command).catch((error) => {
    // Another instance with the same engine was quicker.
    if (!(error instanceof ResourceInUseException)) throw error;
  });
}

const keySchema = (keys: { partitionKey: string; sortKey: string }): KeySchemaElement[] => [
  { AttributeName: keys.partitionKey, KeyType: 'HASH' },
  { AttributeName: keys.sortKey, KeyType: 'RANGE' },
];

async function ensureTimeToLive({ client, name: TableName }: Table) {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  if (TimeToLiveDescription?.TimeToLiveStatus?.startsWith('ENABL')) return;
  const TimeToLiveSpecification = { AttributeName: TABLE.timeToLive, Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
}
