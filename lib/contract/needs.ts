import { ENVIRONMENT } from '../environment.ts';
import { PARTITIONS } from '../table/keys.ts';

/** A kind of item, by the partitions that hold it. */
export type ItemKind = keyof typeof PARTITIONS;

/** Which partitions of the table hold a kind of item, as IAM's `dynamodb:LeadingKeys` matches them. */
export function leadingKeyOf(kind: ItemKind): string {
  const partition = PARTITIONS[kind];
  return partition.endsWith('#') ? `${partition}*` : partition;
}

type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem';

/**
 * Something that a function may do: a DynamoDB action on one kind of item, the query of an index, or a use of
 * another resource. What a contract does not list is not granted.
 */
export type Need =
  | `table:${TableAction}:${ItemKind}`
  | `index:${'GSI1' | 'GSI2'}`
  | 'events:PutEvents'
  | 'signing-key:read'
  | 'signing-key:rotate'
  | 'audit:write';

/** A change of an account that another may ask for: who asks is checked in the same transaction. */
export const CHANGE_OF_ACCOUNT = [
  'table:UpdateItem:ACCOUNT',
  'table:ConditionCheckItem:ACCOUNT',
] as const satisfies readonly Need[];

/** What an event of a change takes: its place in the outbox, its publication, its removal. */
export const PUBLISHING = [
  'table:PutItem:OUTBOX',
  'table:DeleteItem:OUTBOX',
  'events:PutEvents',
] as const satisfies readonly Need[];

/** The environment variable that leads to what a need is about. */
export function variableFor(need: Need): string {
  if (need === 'events:PutEvents') return ENVIRONMENT.eventBus;
  if (need === 'audit:write') return ENVIRONMENT.auditLog;
  return need.startsWith('signing-key:') ? ENVIRONMENT.signingKey : ENVIRONMENT.table;
}
