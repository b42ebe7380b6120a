import { ENVIRONMENT } from './environment.ts';

/** Which partitions of the table hold a kind of item, as IAM's `dynamodb:LeadingKeys` matches them. */
export const LEADING_KEYS = {
  ACCOUNT: 'ACCOUNT#*',
  TOKEN: 'TOKEN#*',
  TRIES: 'TRIES#*',
  TEAMS: 'TEAMS',
  OUTBOX: 'OUTBOX',
  KEYS: 'KEYS',
  STATS: 'STATS',
} as const;

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
  | `table:${TableAction}:${keyof typeof LEADING_KEYS}`
  | `index:${'GSI1' | 'GSI2'}`
  | 'events:PutEvents'
  | 'signing-key:read'
  | 'signing-key:rotate';

/** What announcing an event takes: its place in the outbox, its publication, its removal. */
export const ANNOUNCING = [
  'table:PutItem:OUTBOX',
  'table:DeleteItem:OUTBOX',
  'events:PutEvents',
] as const satisfies readonly Need[];

/** The environment variable that leads to what a need is about. */
export function variableFor(need: Need): string {
  if (need === 'events:PutEvents') return ENVIRONMENT.eventBus;
  return need.startsWith('signing-key:') ? ENVIRONMENT.signingKey : ENVIRONMENT.table;
}
