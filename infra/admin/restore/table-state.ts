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
import { Refusal } from '../refusal.ts';

/** A table as DynamoDB describes it; undefined for operations that the engine does not know. */
export interface TableState {
  readonly description: TableDescription;
  readonly timeToLive: TimeToLiveDescription | undefined;
  readonly backups: ContinuousBackupsDescription | undefined;
}

/** @throws Refusal `table_not_found` */
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

/** @throws Refusal `table_not_found` */
export async function describeTable({ client, name: TableName }: Table): Promise<TableDescription> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table ?? {};
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
    throw new Refusal('table_not_found', `There is no table ${TableName}`);
  }
}

/** The error of a local engine on an operation that it does not know. */
function unknownHere(error: unknown): undefined {
  if ((error as Error).name !== 'UnknownOperationException') throw error;
}
