import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { projection } from './expressions.ts';
import type { Key } from './keys.ts';
import { TABLE } from './shape.ts';
import type { Table } from './table.ts';

/**
 * The attributes that may name an account, without any that lets someone in: the only ones that a function may read of the
 * whole table.
 */
export const NAMING = [
  TABLE.partitionKey,
  TABLE.sortKey,
  'GSI1PK',
  'action',
  'actor',
  'cancelled_by',
  'cancelled_username',
  'code_created_by',
  'details',
  'erased_by',
  'made_for',
  'owner',
  'passkey_owner',
  'revoked_by',
  'revoked_of',
  'target',
  'token_created_by',
  'token_owner',
  'trust_created_by',
  'trust_owner',
  'userid',
  'username',
] as const;

/** An item as {@link scanPage} reads it. */
export type Scanned = Key & Readonly<Partial<Record<(typeof NAMING)[number], unknown>>>;

/** Reads one page of the whole table, of at most 1 MB, strongly consistent; only the attributes {@link NAMING}. */
export async function scanPage(
  table: Table,
  start: { readonly PK: string; readonly SK: string } | undefined,
) {
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new ScanCommand({
      TableName: table.name,
      ConsistentRead: true,
      Select: 'SPECIFIC_ATTRIBUTES',
      ...projection(NAMING),
      ExclusiveStartKey: start,
    }),
  );
  return { items: Items as Scanned[], next: LastEvaluatedKey as { PK: string; SK: string } | undefined };
}
