import { ENVIRONMENT } from '../instance/environment.ts';
import { INDEX_PARTITIONS, PARTITIONS } from '../table/keys.ts';
import type { WriteKind } from './attributes.ts';

/** A kind of item, by the partitions that hold it. */
export type ItemKind = keyof typeof PARTITIONS;

/** A listing of an index, by the partitions that hold it. */
type IndexKind = keyof typeof INDEX_PARTITIONS;

/** The partitions of a kind of item as a pattern for IAM's `dynamodb:LeadingKeys`. */
export function leadingKeyOf(kind: ItemKind | IndexKind): string {
  const partition = { ...PARTITIONS, ...INDEX_PARTITIONS }[kind];
  return partition.endsWith('#') ? `${partition}*` : partition;
}

type ReadAction = 'GetItem' | 'BatchGetItem' | 'Query';

/**
 * A permission of a function; only listed needs are granted:
 * - a DynamoDB read of one kind of item
 * - a write of one kind of item, alone or in a transaction, that names only the attributes of its kind of write
 * - a deletion of one kind of item
 * - puts and deletions of a kind of item in batches, whose attributes cannot be limited
 * - the query of a listing in an index
 * - the scan of the whole table for the attributes that name an account
 * - the use of another resource
 */
export type Need =
  | `table:${ReadAction | 'DeleteItem'}:${ItemKind}`
  | `table:BatchWriteItem:${'AUDIT' | 'ACTS'}`
  | `table:${'PutItem' | 'UpdateItem'}:${WriteKind}`
  | `transaction:${'PutItem' | 'UpdateItem' | 'ConditionCheckItem'}:${WriteKind}`
  | `transaction:DeleteItem:${ItemKind | WriteKind}`
  | `index:GSI1:${IndexKind}`
  | 'names:scan'
  | 'events:PutEvents'
  | 'signing-key:read'
  | 'signing-key:rotate'
  | 'resource-key:read'
  | 'resource-key:rotate'
  | 'erasure-key:read'
  | 'erasure-key:write'
  | 'audit:write'
  | 'audit:read'
  | 'function-log:read';

/** Recording the activity of an account and the use of a token, and counting who is active on a day. */
export const ACTIVITY = [
  'table:UpdateItem:ACCOUNT:activity',
  'table:UpdateItem:TOKEN:use',
  'transaction:UpdateItem:ACCOUNT:activity',
  'transaction:UpdateItem:TOKEN:use',
  'transaction:UpdateItem:SLICE:active',
] as const satisfies readonly Need[];

/** Needs of an attempt to log in: verification, limits, lockout, and the publication of the key that signs the session. */
export const ATTEMPTING = [
  'table:GetItem:ATTEMPTS',
  'table:BatchGetItem:PASSWORD',
  'table:BatchGetItem:ATTEMPTS',
  'table:BatchGetItem:STATS',
  'table:PutItem:ATTEMPTS',
  'table:GetItem:SLICE',
  'transaction:UpdateItem:ACCOUNT:lockout',
  'transaction:UpdateItem:SLICE:until',
  'table:UpdateItem:STATS:cost',
  'table:UpdateItem:KEYS:publish',
  'signing-key:read',
] as const satisfies readonly Need[];

/** Needs of the publication of an event and its removal. Its place in the outbox is a need by its type. */
export const PUBLISHING = ['table:DeleteItem:OUTBOX', 'events:PutEvents'] as const satisfies readonly Need[];

/** Needs of an operation that a request with an `Idempotency-Key` carries out once. */
export const REPEATING = [
  'table:GetItem:MADE',
  'transaction:UpdateItem:MADE',
] as const satisfies readonly Need[];

/** Needs of the deletion of an API token: its name, its secret, its sessions. */
export const TOKEN_DELETION = [
  'table:GetItem:NAMES',
  'table:BatchGetItem:NAMES',
  'table:BatchGetItem:ACCOUNT',
  'transaction:UpdateItem:ACCOUNT:token_delete',
  'transaction:UpdateItem:ACCOUNT:former-name',
  'transaction:UpdateItem:ENDED',
  'transaction:UpdateItem:NAMES',
  'transaction:UpdateItem:TOKEN:end',
  'table:DeleteItem:NAMES',
  'table:DeleteItem:TOKEN',
  'transaction:ConditionCheckItem:ACCOUNT:guard',
] as const satisfies readonly Need[];

/** Needs of the removal of all API tokens of a generation that has ended. */
export const TOKEN_REMOVAL = [
  'table:Query:ACCOUNT',
  'table:Query:NAMES',
  'transaction:UpdateItem:NAMES',
  'transaction:UpdateItem:ACCOUNT:former-name',
  'table:DeleteItem:NAMES',
  'table:DeleteItem:TOKEN',
  'table:DeleteItem:REVOKED',
] as const satisfies readonly Need[];

/** Needs of every creation of an API token: its secret, its end, its name. Its event needs {@link PUBLISHING}. */
export const TOKEN_CREATION = [
  'transaction:UpdateItem:TOKEN:create',
  'transaction:ConditionCheckItem:TOKEN:end',
  'transaction:ConditionCheckItem:ENDED',
  'transaction:UpdateItem:EXPIRING',
  'transaction:UpdateItem:NAMES',
  'transaction:ConditionCheckItem:ACCOUNT:former-name',
] as const satisfies readonly Need[];

/** Needs of the hash of a name that nobody else may have: the erasure key, compared with the table. */
export const HASHING = ['erasure-key:read', 'table:GetItem:ERASURE_KEY'] as const satisfies readonly Need[];

/**
 * The same where such hashes are stored, or refuse a name, which also writes the check value of a table that has none. Whoever
 * may write it can stop creations and erasures; these functions can do worse.
 */
export const KEEPING_NAMES = [...HASHING, 'table:PutItem:ERASURE_KEY'] as const satisfies readonly Need[];

/** Needs of the removal of everything that belongs to an erased account, by keys. */
export const ERASURE = [
  'table:Query:ACCOUNT',
  'table:Query:SESSION',
  'table:Query:ENDED',
  'table:Query:MADE',
  'table:Query:ATTEMPTS',
  'table:Query:NAMES',
] as const satisfies readonly Need[];

/** Needs of the deletion of each kind of item that belongs to an account. */
export const OWN_ITEMS = [
  'table:DeleteItem:ACCOUNT',
  'table:DeleteItem:PASSWORD',
  'table:DeleteItem:CODE',
  'table:DeleteItem:SESSION',
  'table:DeleteItem:ENDED',
  'table:DeleteItem:MADE',
  'table:DeleteItem:ATTEMPTS',
  'table:DeleteItem:NAMES',
  'table:DeleteItem:TOKEN',
  'table:DeleteItem:PASSKEY',
  'table:DeleteItem:TRUST',
  'table:DeleteItem:EXPIRING',
  'table:DeleteItem:CANCELLED',
] as const satisfies readonly Need[];

/** The environment variable with the resource of a need. */
export function variableFor(need: Need): string {
  if (need === 'events:PutEvents') return ENVIRONMENT.eventBus;
  if (need.startsWith('audit:')) return ENVIRONMENT.auditLog;
  if (need === 'function-log:read') return ENVIRONMENT.functionLog;
  if (need.startsWith('erasure-key:')) return ENVIRONMENT.erasureKey;
  if (need.startsWith('resource-key:')) return ENVIRONMENT.resourceKey;
  return need.startsWith('signing-key:') ? ENVIRONMENT.signingKey : ENVIRONMENT.table;
}
