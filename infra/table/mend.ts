import { setTimeout as sleep } from 'node:timers/promises';
import {
  type KeySchemaElement,
  type TableDescription,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  type UpdateTableCommandInput,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { TABLE } from '#lib/table/shape';
import type { Table } from '#lib/table/table';
import { type Check, describeTable } from './findings.ts';

const POLL_MS = 2000;

/**
 * Adds what a check found missing; removes nothing. The time to build an index grows with the table; DynamoDB goes on
 * if the command is cut off meanwhile.
 */
export async function mendTable(table: Table, check: Check, everyMs = POLL_MS): Promise<void> {
  const { client, name: TableName } = table;
  const index = TABLE.indexes.find(({ name }) => check === `index_${name}`);
  if (index) await updateTable(table, creationOf(index, await describeTable(table)), everyMs);
  else if (check === 'deletion_protection')
    await updateTable(table, { DeletionProtectionEnabled: true }, everyMs);
  else if (check === 'billing_mode') await updateTable(table, { BillingMode: 'PAY_PER_REQUEST' }, everyMs);
  else if (check === 'time_to_live') {
    const TimeToLiveSpecification = { AttributeName: TABLE.timeToLive, Enabled: true };
    await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  } else if (check === 'point_in_time_recovery') {
    const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
    await client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
  } else throw new Error(`${check} cannot be mended`);
}

/** DynamoDB refuses a change of a table until the previous one is done. */
async function updateTable(table: Table, change: Partial<UpdateTableCommandInput>, everyMs: number) {
  await active(table, everyMs);
  await table.client.send(new UpdateTableCommand({ ...change, TableName: table.name }));
  await active(table, everyMs);
}

/** Resolves once the table and its indexes can be used. */
export async function active(table: Table, everyMs: number): Promise<void> {
  for (;;) {
    const { TableStatus, GlobalSecondaryIndexes = [] } = await describeTable(table);
    if ([TableStatus, ...GlobalSecondaryIndexes.map(({ IndexStatus }) => IndexStatus)].every(isActive))
      return;
    await sleep(everyMs);
  }
}

const isActive = (status: string | undefined) => status === undefined || status === 'ACTIVE';

/** Creates an index of a table on demand, as the billing mode is mended first. It keeps the attributes of the table. */
function creationOf(
  index: (typeof TABLE.indexes)[number],
  { AttributeDefinitions = [] }: TableDescription,
): Partial<UpdateTableCommandInput> {
  const known = AttributeDefinitions.map(({ AttributeName }) => AttributeName);
  const added = attributesOf(index).filter(({ AttributeName }) => !known.includes(AttributeName));
  return {
    AttributeDefinitions: [...AttributeDefinitions, ...added],
    GlobalSecondaryIndexUpdates: [{ Create: indexOf(index) }],
  };
}

type Keys = Readonly<Record<'partitionKey' | 'sortKey', string>>;

export const attributesOf = ({ partitionKey, sortKey }: Keys) =>
  [partitionKey, sortKey].map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const }));

export const keySchema = ({ partitionKey, sortKey }: Keys): KeySchemaElement[] => [
  { AttributeName: partitionKey, KeyType: 'HASH' },
  { AttributeName: sortKey, KeyType: 'RANGE' },
];

export const indexOf = (index: (typeof TABLE.indexes)[number]) => ({
  IndexName: index.name,
  KeySchema: keySchema(index),
  Projection: { ProjectionType: 'ALL' as const },
});
