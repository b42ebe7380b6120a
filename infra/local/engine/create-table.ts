import { setTimeout as sleep } from 'node:timers/promises';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type KeySchemaElement,
  ResourceInUseException,
  ResourceNotFoundException,
  type TableDescription,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { TABLE } from '#lib/table/shape';
import type { Table } from '#lib/table/table';

const POLL_MS = 10;
const ACTIVE_WITHIN_MS = 30_000;

/** Creates the table unless it exists, after a call of `beforeCreate`. @throws Error if it has other keys */
export async function ensureTable(table: Table, beforeCreate: () => void): Promise<void> {
  let description = await describe(table);
  if (!description) {
    beforeCreate();
    await createTable(table);
  }
  const deadline = performance.now() + ACTIVE_WITHIN_MS;
  for (; !isActive(description); description = await describe(table)) {
    if (performance.now() > deadline) throw new Error(`The table ${table.name} does not become active.`);
    await sleep(POLL_MS);
  }
  checkShape(table.name, description as TableDescription);
  await ensureTimeToLive(table);
}

const describe = ({ client, name }: Table): Promise<TableDescription | undefined> =>
  client.send(new DescribeTableCommand({ TableName: name })).then(
    (answer) => answer.Table,
    (error) => {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    },
  );

const isActive = (table: TableDescription | undefined) =>
  table?.TableStatus === 'ACTIVE' &&
  (table.GlobalSecondaryIndexes ?? []).every(({ IndexStatus = 'ACTIVE' }) => IndexStatus === 'ACTIVE');

/** A table of another version of this project, or of another program, has other keys. */
function checkShape(name: string, { KeySchema, GlobalSecondaryIndexes = [] }: TableDescription) {
  const keysOf = (schema: readonly KeySchemaElement[] = []) =>
    schema.map(({ AttributeName }) => AttributeName).join();
  const found = [
    keysOf(KeySchema),
    ...GlobalSecondaryIndexes.map((it) => it.IndexName + keysOf(it.KeySchema)),
  ];
  const missing = [
    ...(found[0] === keysOf(keySchema(TABLE)) ? [] : [`the keys ${keysOf(keySchema(TABLE))}`]),
    ...TABLE.indexes
      .filter((index) => !found.includes(index.name + keysOf(keySchema(index))))
      .map(({ name }) => `the index ${name}`),
  ];
  if (missing.length > 0)
    throw new Error(
      `The table ${name} lacks ${missing.join(', ')}: another version of this project, or another program, created it.\nUse that version, or start with another data directory: npm start -- --data <dir>`,
    );
}

async function createTable({ client, name }: Table) {
  const keys = [TABLE, ...TABLE.indexes].flatMap(keySchema);
  const command = new CreateTableCommand({
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: keys.map(({ AttributeName }) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: keySchema(TABLE),
    GlobalSecondaryIndexes: TABLE.indexes.map((index) => ({
      IndexName: index.name,
      KeySchema: keySchema(index),
      Projection: { ProjectionType: 'ALL' },
    })),
  });
  await client.send(command).catch((error) => {
    // Another instance on the same engine has created it.
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
