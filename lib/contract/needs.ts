import { ENVIRONMENT } from '../environment.ts';
import { INDEX_PARTITIONS, PARTITIONS } from '../table/keys.ts';

/** A kind of item, by the partitions that hold it. */
export type ItemKind = keyof typeof PARTITIONS;

/** A listing of an index, by the partitions that hold it. */
type IndexKind = keyof typeof INDEX_PARTITIONS;

/** The partitions of a kind of item as a pattern for IAM's `dynamodb:LeadingKeys`. */
export function leadingKeyOf(kind: ItemKind | IndexKind): string {
  const partition = { ...PARTITIONS, ...INDEX_PARTITIONS }[kind];
  return partition.endsWith('#') ? `${partition}*` : partition;
}

type WriteAction = 'PutItem' | 'UpdateItem' | 'DeleteItem';
type TableAction = 'GetItem' | 'BatchGetItem' | 'Query' | WriteAction;

/**
 * The attributes that a limited update may set or check, by need, as patterns for IAM's `StringLike`. `activity` is
 * recorded by every authentication.
 */
export const ATTRIBUTES = {
  activity: [
    'PK',
    'SK',
    'id',
    'isactive',
    'lastActivity',
    'lockoutend',
    'never_used',
    'stamp',
    'token_used_at',
    'active:*',
  ],
} as const;

type Limit = keyof typeof ATTRIBUTES;

/**
 * A permission of a function; only listed needs are granted:
 * - a DynamoDB action on one kind of item, alone or in a transaction
 * - an update of some attributes of an item
 * - the query of a listing in an index
 * - the use of another resource
 */
export type Need =
  | `table:${TableAction}:${ItemKind}`
  | `table:UpdateItem:${ItemKind}:${Limit}`
  | `transaction:${WriteAction | 'ConditionCheckItem'}:${ItemKind}`
  | `transaction:UpdateItem:${ItemKind}:${Limit}`
  | 'index:GSI1:ACCOUNTS'
  | 'index:GSI1:TOKENS'
  | 'events:PutEvents'
  | 'signing-key:read'
  | 'signing-key:rotate'
  | 'audit:write';

/**
 * The needs of a contract. Constant lists are nested: esbuild keeps a spread, and with it the contract, in every bundle
 * that imports the file.
 */
export type Needs = readonly (Need | readonly Need[])[];

/** Recording the activity of an account and the use of a token, and counting who is active on a day. */
export const ACTIVITY = [
  'table:UpdateItem:ACCOUNT:activity',
  'table:UpdateItem:TOKEN:activity',
  'transaction:UpdateItem:ACCOUNT:activity',
  'transaction:UpdateItem:TOKEN:activity',
  'transaction:UpdateItem:SLICE:activity',
] as const satisfies readonly Need[];

/** A change of an account by another one, which the same transaction checks. */
export const CHANGE_OF_ACCOUNT = [
  'transaction:UpdateItem:ACCOUNT',
  'transaction:ConditionCheckItem:ACCOUNT',
] as const satisfies readonly Need[];

/** Needs of an event: its place in the outbox, its publication, its removal. */
export const PUBLISHING = [
  'transaction:PutItem:OUTBOX',
  'table:DeleteItem:OUTBOX',
  'events:PutEvents',
] as const satisfies readonly Need[];

/** The environment variable with the resource of a need. */
export function variableFor(need: Need): string {
  if (need === 'events:PutEvents') return ENVIRONMENT.eventBus;
  if (need === 'audit:write') return ENVIRONMENT.auditLog;
  return need.startsWith('signing-key:') ? ENVIRONMENT.signingKey : ENVIRONMENT.table;
}
