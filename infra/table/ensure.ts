import { CreateTableCommand, ResourceInUseException } from '@aws-sdk/client-dynamodb';
import { TABLE } from '#lib/table/shape';
import type { Table } from '#lib/table/table';
import { attributesOf, indexOf, keySchema, mendTable, tableFindings } from './checks.ts';
import { active, findTable, readTableState } from './state.ts';

const POLL_MS = 10;

/** Creates the table unless it exists, after a call of `beforeCreate`. @throws Error if it has other keys */
export async function ensureTable(table: Table, beforeCreate: () => void): Promise<void> {
  if (!(await findTable(table))) {
    beforeCreate();
    await createTable(table);
  }
  await active(table, POLL_MS);
  const findings = tableFindings(await readTableState(table));
  const others = findings.filter(({ check, state }) => /^(key|index)_/.test(check) && state !== 'ok');
  if (others.length > 0)
    throw new Error(
      `The table ${table.name} has another shape (${others.map(({ check, found }) => `${check}: ${found}`).join('; ')}): another version of this project, or another program, created it.\nUse that version, or start with another data directory: npm start -- --data <dir>`,
    );
  const isMissing = findings.some(({ check, state }) => check === 'time_to_live' && state === 'missing');
  if (isMissing) await mendTable(table, 'time_to_live');
}

async function createTable({ client, name: TableName }: Table) {
  const command = new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [TABLE, ...TABLE.indexes].flatMap(attributesOf),
    KeySchema: keySchema(TABLE),
    GlobalSecondaryIndexes: TABLE.indexes.map(indexOf),
  });
  await client.send(command).catch((error) => {
    // Another instance on the same engine has created it.
    if (!(error instanceof ResourceInUseException)) throw error;
  });
}
