import { ENVIRONMENT } from '../environment.ts';
import { INDEX_PARTITIONS, PARTITIONS } from '../table/keys.ts';

/** A kind of item, by the partitions that hold it. */
export type ItemKind = keyof typeof PARTITIONS;

/** A listing of an index, by the partitions that hold it. */
type IndexKind = keyof typeof INDEX_PARTITIONS;

/** Which partitions of the table, or of an index, hold a kind of item, as IAM's `dynamodb:LeadingKeys` matches them. */
export function leadingKeyOf(kind: ItemKind | IndexKind): string {
  const partition = { ...PARTITIONS, ...INDEX_PARTITIONS }[kind];
  return partition.endsWith('#') ? `${partition}*` : partition;
}

type WriteAction = 'PutItem' | 'UpdateItem' | 'DeleteItem';
type TableAction = 'GetItem' | 'BatchGetItem' | 'Query' | WriteAction;

/**
 * The only attributes that an update may name, be it to set them or to check them, as IAM's `StringLike` matches them:
 * by need. `activity` is what every authentication records.
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
 * Something that a function may do: a DynamoDB action on one kind of item, by itself or as a part of a transaction;
 * an update of nothing but some of its attributes; the query of a listing in an index; or a use of another resource.
 * What a contract does not list is not granted.
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
 * What a contract lists. A constant list is nested, not spread: esbuild keeps a spread in every bundle that imports the
 * file, and with it the contract.
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

/** A change of an account that another may ask for: who asks is checked in the same transaction. */
export const CHANGE_OF_ACCOUNT = [
  'transaction:UpdateItem:ACCOUNT',
  'transaction:ConditionCheckItem:ACCOUNT',
] as const satisfies readonly Need[];

/** What an event of a change takes: its place in the outbox, its publication, its removal. */
export const PUBLISHING = [
  'transaction:PutItem:OUTBOX',
  'table:DeleteItem:OUTBOX',
  'events:PutEvents',
] as const satisfies readonly Need[];

/** The environment variable that leads to what a need is about. */
export function variableFor(need: Need): string {
  if (need === 'events:PutEvents') return ENVIRONMENT.eventBus;
  if (need === 'audit:write') return ENVIRONMENT.auditLog;
  return need.startsWith('signing-key:') ? ENVIRONMENT.signingKey : ENVIRONMENT.table;
}
