import { isDeepStrictEqual } from 'node:util';
import {
  type IndexStatus,
  type KeySchemaElement,
  type TableDescription,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  type UpdateTableCommandInput,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { TABLE } from '#lib/table/shape';
import type { Table } from '#lib/table/table';
import { active, type TableState } from './state.ts';

interface Answer {
  /** `missing`: a mend can add it; `wrong`: a person has to act; `unknown`: the engine reports nothing. */
  readonly state: 'ok' | 'missing' | 'wrong' | 'unknown';
  readonly found: string;
}

export type Finding = Answer & { readonly check: string };

interface Check {
  answer(state: TableState): Answer;
  /** Adds what is missing to a table that can be changed. */
  mend?(table: Table, before: TableDescription): Promise<unknown>;
}

const ok = (found: string): Answer => ({ state: 'ok', found });
const missing = (found: string): Answer => ({ state: 'missing', found });
const wrong = (found: string): Answer => ({ state: 'wrong', found });
const UNKNOWN: Answer = { state: 'unknown', found: 'this engine does not report it' };

/** Statuses of a table or an index that can be used; a mend updates it. */
const USABLE: readonly (IndexStatus | string | undefined)[] = ['ACTIVE', 'UPDATING'];

type Keys = Readonly<Record<'partitionKey' | 'sortKey', string>>;
type Index = (typeof TABLE.indexes)[number];

export const attributesOf = ({ partitionKey, sortKey }: Keys) =>
  [partitionKey, sortKey].map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const }));

export const keySchema = ({ partitionKey, sortKey }: Keys): KeySchemaElement[] => [
  { AttributeName: partitionKey, KeyType: 'HASH' },
  { AttributeName: sortKey, KeyType: 'RANGE' },
];

export const indexOf = (index: Index) => ({
  IndexName: index.name,
  KeySchema: keySchema(index),
  Projection: { ProjectionType: 'ALL' as const },
});

const namesIn = (schema: readonly KeySchemaElement[] = []) =>
  schema.map(({ AttributeName }) => AttributeName).join(', ');

/** The attributes of keys, all strings, that a table has not defined. */
const undefinedIn = ({ AttributeDefinitions = [] }: TableDescription, keys: Keys) =>
  attributesOf(keys).filter((one) => !AttributeDefinitions.some((other) => isDeepStrictEqual(other, one)));

const hasKeys = (table: TableDescription, schema: readonly KeySchemaElement[] | undefined, keys: Keys) =>
  isDeepStrictEqual(schema, keySchema(keys)) && undefinedIn(table, keys).length === 0;

const isOn = (on: boolean) => (on ? ok('on') : missing('off'));

const update =
  (change: Partial<UpdateTableCommandInput>) =>
  ({ client, name: TableName }: Table) =>
    client.send(new UpdateTableCommand({ TableName, ...change }));

/** An index of a table on demand, as the billing mode is mended first. */
const indexCheck = (index: Index): Check => ({
  answer({ description }) {
    const held = description.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === index.name);
    if (!held) return missing('none');
    const projection = held.Projection?.ProjectionType ?? 'nothing';
    const found = `${namesIn(held.KeySchema)}, projects ${projection}`;
    if (!hasKeys(description, held.KeySchema, index) || projection !== 'ALL')
      return wrong(`${found}; expected the strings ${index.partitionKey}, ${index.sortKey} and ALL`);
    return USABLE.includes(held.IndexStatus)
      ? ok(found)
      : wrong(`${held.IndexStatus}: wait until it is built`);
  },
  mend: (table, before) =>
    update({
      AttributeDefinitions: [...(before.AttributeDefinitions ?? []), ...undefinedIn(before, index)],
      GlobalSecondaryIndexUpdates: [{ Create: indexOf(index) }],
    })(table),
});

/** The properties of the stack's tables, in the order of mending. */
const CHECKS: Readonly<Record<string, Check>> = {
  status: {
    answer: ({ description: { TableStatus } }) =>
      USABLE.includes(TableStatus)
        ? ok(String(TableStatus))
        : wrong(`${TableStatus}: wait until the restore is done`),
  },
  key_schema: {
    answer({ description }) {
      const found = namesIn(description.KeySchema);
      return hasKeys(description, description.KeySchema, TABLE)
        ? ok(found)
        : wrong(
            `${found}; expected the strings ${TABLE.partitionKey}, ${TABLE.sortKey}: this is another table`,
          );
    },
  },
  billing_mode: {
    answer({ description: { BillingModeSummary, ProvisionedThroughput } }) {
      const units = ProvisionedThroughput?.ReadCapacityUnits;
      // A table that never was on demand has no summary.
      const mode = BillingModeSummary?.BillingMode ?? (units ? 'PROVISIONED' : undefined);
      if (mode === undefined) return UNKNOWN;
      return mode === 'PAY_PER_REQUEST' ? ok('on demand') : missing(`provisioned, ${units} read units`);
    },
    mend: update({ BillingMode: 'PAY_PER_REQUEST' }),
  },
  ...Object.fromEntries(TABLE.indexes.map((index) => [`index_${index.name}`, indexCheck(index)])),
  time_to_live: {
    answer({ timeToLive }) {
      if (!timeToLive) return UNKNOWN;
      const { TimeToLiveStatus: state = 'DISABLED', AttributeName } = timeToLive;
      if (state === 'DISABLED') return missing('off');
      if (AttributeName !== TABLE.timeToLive)
        return wrong(`on ${AttributeName}; expected ${TABLE.timeToLive}: turn it off first`);
      return state === 'DISABLING' ? wrong('is being turned off: wait') : ok(`on ${AttributeName}`);
    },
    mend({ client, name: TableName }) {
      const TimeToLiveSpecification = { AttributeName: TABLE.timeToLive, Enabled: true };
      return client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
    },
  },
  point_in_time_recovery: {
    answer: ({ backups }) =>
      backups
        ? isOn(backups.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === 'ENABLED')
        : UNKNOWN,
    mend({ client, name: TableName }) {
      const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
      return client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
    },
  },
  deletion_protection: {
    answer: ({ description: { DeletionProtectionEnabled: on } }) => (on === undefined ? UNKNOWN : isOn(on)),
    mend: update({ DeletionProtectionEnabled: true }),
  },
};

/** Compares a table with the tables that the stack creates, in the order in which faults are mended. */
export const tableFindings = (state: TableState): Finding[] =>
  Object.entries(CHECKS).map(([check, { answer }]) => ({ check, ...answer(state) }));

const POLL_MS = 2000;

/**
 * Adds what a check found missing; removes nothing. DynamoDB refuses a change of a table until the previous one is done.
 * The time to build an index grows with the table; DynamoDB continues if the command is interrupted.
 */
export async function mendTable(table: Table, check: string, everyMs = POLL_MS): Promise<void> {
  await CHECKS[check]?.mend?.(table, await active(table, everyMs));
  await active(table, everyMs);
}
