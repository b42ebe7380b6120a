import type { Contract } from '#lib/contract/contract';
import { type ItemKind, KEEPING_NAMES, type Need, PUBLISHING } from '#lib/contract/needs';

/** Support reads, locks, unlocks and revokes; an administrator may run every command. */
export type Group = 'support' | 'administrator';

/** Permissions that only operators have: the resource and the purpose, with the actions on it. */
export const OPERATOR_ACTIONS = {
  'stack:outputs': ['cloudformation:DescribeStacks'],
  'audit:read': ['logs:FilterLogEvents'],
  'audit:open': ['logs:CreateLogStream'],
  // Only into the stream of the own group.
  'audit-lines:write': ['logs:PutLogEvents'],
  'description:read': ['ContinuousBackups', 'Table', 'TimeToLive'].map((what) => `dynamodb:Describe${what}`),
  'description:mend': ['ContinuousBackups', 'Table', 'TimeToLive'].map((what) => `dynamodb:Update${what}`),
  'secret:describe': ['secretsmanager:DescribeSecret'],
  'secret:rotate': ['secretsmanager:RotateSecret', 'secretsmanager:UpdateSecretVersionStage'],
  'rotation:start': ['lambda:InvokeFunction'],
  'relay:start': ['lambda:InvokeFunction'],
  'refill:start': ['lambda:InvokeFunction'],
  'rule:read': ['events:DescribeRule'],
  'archive:replay': ['events:StartReplay'],
  'replay:read': ['events:DescribeReplay'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type OperatorAction = keyof typeof OPERATOR_ACTIONS;

/** A need of a function, a write of whole items, or a permission that only operators have. */
export type OperatorNeed =
  | Need
  | `transaction:PutItem:${ItemKind}`
  | `table:${'PutItem' | 'UpdateItem'}:${ItemKind}`
  | OperatorAction;

export const isOperatorAction = (need: OperatorNeed): need is OperatorAction => need in OPERATOR_ACTIONS;

export const ACCOUNT = 'table:GetItem:ACCOUNT';
export const ACCOUNTS = ['index:GSI1:ACCOUNTS', ACCOUNT, 'table:BatchGetItem:ACCOUNT'] as const;
export const TOKENS = ['table:Query:ACCOUNT', 'table:Query:NAMES', 'index:GSI1:TOKENS'] as const;
/** Needs of a list of tokens, of which the index may lack those of the last second. */
export const LISTED_TOKENS = [...TOKENS, 'table:BatchGetItem:TOKEN'] as const;
export const GUARD = 'transaction:ConditionCheckItem:ACCOUNT:guard';
/** Needs of a search for another administrator, and for the tokens and accounts that this one created. */
export const LEAVING = [
  ACCOUNT,
  'index:GSI1:ACCOUNTS',
  'index:GSI1:TOKENS',
  'table:Query:REVOKED',
  'audit:read',
  GUARD,
] as const;
/** Needs of the owner of a machine: the read, and the condition that the owner is still the same. */
export const OWNER = [ACCOUNT, GUARD] as const;
export const STAMP = 'table:UpdateItem:ACCOUNT:logout';
export const RESET = 'table:UpdateItem:ACCOUNT:reset-stamp';
export const PASSWORD = ['transaction:UpdateItem:PASSWORD', 'table:UpdateItem:STATS:cost'] as const;
export const NEW_ACCOUNT = [
  ...OWNER,
  ...KEEPING_NAMES,
  'table:GetItem:ERASED',
  'transaction:ConditionCheckItem:ERASED:name',
  'transaction:UpdateItem:ERASED:reuse',
  'transaction:ConditionCheckItem:ERASING',
  'transaction:UpdateItem:ACCOUNT:create',
  'transaction:UpdateItem:STATS:counter',
  ...PASSWORD,
] as const;
/** Needs of the findings about a table and its signing keys. */
export const FINDINGS = [
  'description:read',
  'secret:describe',
  'table:Query:KEYS',
  'table:Query:RESOURCE_KEYS',
] as const;

/** Conditions on the caller of a request; commands have no caller. */
const GUARDS: readonly Need[] = [
  GUARD,
  'transaction:ConditionCheckItem:ACCOUNT:session-guard',
  'transaction:ConditionCheckItem:TOKEN:end',
  'transaction:ConditionCheckItem:ENDED',
];

/** Needs of the publication of an event, which the relay carries out for commands. */
const PUBLICATION: readonly Need[] = PUBLISHING;

/** The needs of an endpoint without conditions on its caller; the relay publishes its events. */
export const of = ({ needs }: Pick<Contract, 'needs'>): readonly OperatorNeed[] => [
  ...needs.flat().filter((need) => !GUARDS.includes(need) && !PUBLICATION.includes(need)),
  ...(needs.flat().some((need) => PUBLICATION.includes(need)) ? (['relay:start'] as const) : []),
];

/** The needs of {@link of} without the read of a trust, by which a credential with limits is compared. */
export const withoutLimits = (contract: Pick<Contract, 'needs'>) =>
  of(contract).filter((need) => need !== 'table:GetItem:TRUST');

/** The needs of {@link of} without those of an `Idempotency-Key`. */
export const withoutKey = (contract: Pick<Contract, 'needs'>) =>
  of(contract).filter((need) => !need.endsWith(':MADE'));
