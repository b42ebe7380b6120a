import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ContinuousBackupsDescription,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  ResourceNotFoundException,
  type TableDescription,
  type TimeToLiveDescription,
} from '@aws-sdk/client-dynamodb';
import type { Table } from '#lib/table/table';

/** A table as DynamoDB describes it; undefined for operations that the engine does not know. */
export interface TableState {
  readonly description: TableDescription;
  readonly timeToLive: TimeToLiveDescription | undefined;
  readonly backups: ContinuousBackupsDescription | undefined;
}

/** @throws Error `table_not_found` */
export async function readTableState(table: Table): Promise<TableState> {
  const { client, name: TableName } = table;
  const description = await describeTable(table);
  const [timeToLive, backups] = await Promise.all([
    client.send(new DescribeTimeToLiveCommand({ TableName })).catch(unknownHere),
    client.send(new DescribeContinuousBackupsCommand({ TableName })).catch(unknownHere),
  ]);
  return {
    description,
    timeToLive: timeToLive?.TimeToLiveDescription,
    backups: backups?.ContinuousBackupsDescription,
  };
}

/** The description of a table once it and its indexes can be used. @throws Error `table_not_found` */
export async function active(table: Table, everyMs: number): Promise<TableDescription> {
  for (;;) {
    const description = await describeTable(table);
    const { TableStatus, GlobalSecondaryIndexes = [] } = description;
    const statuses = [TableStatus, ...GlobalSecondaryIndexes.map(({ IndexStatus }) => IndexStatus)];
    if (statuses.every((status = 'ACTIVE') => status === 'ACTIVE')) return description;
    await sleep(everyMs);
  }
}

/** @throws Error `table_not_found` */
export async function describeTable(table: Table): Promise<TableDescription> {
  const description = await findTable(table);
  if (description) return description;
  throw Object.assign(new Error(`There is no table ${table.name}`), { name: 'table_not_found' });
}

/** Undefined if there is no such table. */
export const findTable = ({ client, name: TableName }: Table): Promise<TableDescription | undefined> =>
  client.send(new DescribeTableCommand({ TableName })).then(
    (answer) => answer.Table,
    (error) => {
      if (!(error instanceof ResourceNotFoundException)) throw error;
      return undefined;
    },
  );

/** The error of a local engine on an operation that it does not know. */
function unknownHere(error: unknown): undefined {
  if ((error as Error).name !== 'UnknownOperationException') throw error;
}
