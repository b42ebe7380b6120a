import {
  type ContinuousBackupsDescription,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type IndexStatus,
  type KeySchemaElement,
  ResourceNotFoundException,
  type TableDescription,
  type TimeToLiveDescription,
} from '@aws-sdk/client-dynamodb';
import { TABLE } from '#lib/table/shape';
import type { Table } from '#lib/table/table';

export type Check =
  | 'status'
  | 'key_schema'
  | `index_${(typeof TABLE.indexes)[number]['name']}`
  | 'time_to_live'
  | 'point_in_time_recovery'
  | 'deletion_protection'
  | 'billing_mode';

interface Answer {
  /** `missing`: it can be added; `wrong`: a person has to act; `unknown`: the engine reports nothing. */
  readonly state: 'ok' | 'missing' | 'wrong' | 'unknown';
  readonly found: string;
}

export type Finding = Answer & { readonly check: Check };

const ok = (found: string): Answer => ({ state: 'ok', found });
const missing = (found: string): Answer => ({ state: 'missing', found });
const wrong = (found: string): Answer => ({ state: 'wrong', found });
const UNKNOWN: Answer = { state: 'unknown', found: 'this engine does not report it' };

/** Compares a table with the tables that the stack creates, in the order in which faults are mended. */
export const tableFindings = (state: TableState): Finding[] => [
  { check: 'status', ...status(state.description) },
  { check: 'key_schema', ...keySchema(state.description) },
  { check: 'billing_mode', ...billing(state.description) },
  ...TABLE.indexes.map(
    (index): Finding => ({ check: `index_${index.name}`, ...indexAnswer(state.description, index) }),
  ),
  { check: 'time_to_live', ...timeToLive(state) },
  { check: 'point_in_time_recovery', ...recovery(state) },
  { check: 'deletion_protection', ...protection(state.description) },
];

/** Statuses of a table or an index that can be used; a mend updates it. */
const USABLE: readonly (IndexStatus | string | undefined)[] = ['ACTIVE', 'UPDATING'];

const status = ({ TableStatus }: TableDescription): Answer =>
  USABLE.includes(TableStatus)
    ? ok(String(TableStatus))
    : wrong(`${TableStatus}: wait until the restore is done`);

const keysOf = (schema: readonly KeySchemaElement[] = []) =>
  ['HASH', 'RANGE'].map((type) => schema.find(({ KeyType }) => KeyType === type)?.AttributeName ?? '(none)');

interface Keys {
  readonly partitionKey: string;
  readonly sortKey: string;
}

/** Whether the schema has exactly these keys, and both are strings. */
function hasKeys(
  { AttributeDefinitions = [] }: TableDescription,
  schema: readonly KeySchemaElement[] | undefined,
  { partitionKey, sortKey }: Keys,
): boolean {
  const typeOf = (name: string) =>
    AttributeDefinitions.find(({ AttributeName }) => AttributeName === name)?.AttributeType;
  const keys = [partitionKey, sortKey];
  return String(keysOf(schema)) === String(keys) && keys.every((key) => typeOf(key) === 'S');
}

function keySchema(description: TableDescription): Answer {
  const found = keysOf(description.KeySchema).join(', ');
  return hasKeys(description, description.KeySchema, TABLE)
    ? ok(found)
    : wrong(`${found}; expected the strings ${TABLE.partitionKey}, ${TABLE.sortKey}: this is another table`);
}

function indexAnswer(description: TableDescription, index: Keys & { readonly name: string }): Answer {
  const held = description.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === index.name);
  if (!held) return missing('none');
  const projection = held.Projection?.ProjectionType ?? 'nothing';
  const found = `${keysOf(held.KeySchema).join(', ')}, projects ${projection}`;
  if (!hasKeys(description, held.KeySchema, index) || projection !== 'ALL')
    return wrong(`${found}; expected the strings ${index.partitionKey}, ${index.sortKey} and ALL`);
  return USABLE.includes(held.IndexStatus) ? ok(found) : wrong(`${held.IndexStatus}: wait until it is built`);
}

function timeToLive({ timeToLive }: TableState): Answer {
  if (!timeToLive) return UNKNOWN;
  const { TimeToLiveStatus: state = 'DISABLED', AttributeName } = timeToLive;
  if (state === 'DISABLED') return missing('off');
  if (AttributeName !== TABLE.timeToLive)
    return wrong(`on ${AttributeName}; expected ${TABLE.timeToLive}: turn it off first`);
  return state === 'DISABLING' ? wrong('is being turned off: wait') : ok(`on ${AttributeName}`);
}

function recovery({ backups }: TableState): Answer {
  if (!backups) return UNKNOWN;
  const state = backups.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus;
  return state === 'ENABLED' ? ok('on') : missing('off');
}

const protection = ({ DeletionProtectionEnabled: isOn }: TableDescription): Answer =>
  isOn === undefined ? UNKNOWN : isOn ? ok('on') : missing('off');

function billing({ BillingModeSummary, ProvisionedThroughput }: TableDescription): Answer {
  const units = ProvisionedThroughput?.ReadCapacityUnits;
  // A table that never was on demand has no summary.
  const mode = BillingModeSummary?.BillingMode ?? (units ? 'PROVISIONED' : undefined);
  if (mode === undefined) return UNKNOWN;
  return mode === 'PAY_PER_REQUEST' ? ok('on demand') : missing(`provisioned, ${units} read units`);
}

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
