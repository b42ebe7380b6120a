import { cancel, endSession, lock, reactivate, unlock } from '#lib/account/contracts';
import type { Contract } from '#lib/contract/contract';
import { type ItemKind, type Need, PUBLISHING, TOKEN_CREATION } from '#lib/contract/needs';
import { create as createTeam } from '#lib/team/contracts';
import { remove, rotate } from '#lib/token/contracts';

/** Permissions that only operators have: the resource and the purpose, with the actions on it. */
export const OPERATOR_ACTIONS = {
  'stack:outputs': ['cloudformation:DescribeStacks'],
  'audit:read': ['logs:FilterLogEvents'],
  'description:read': ['ContinuousBackups', 'Table', 'TimeToLive'].map((what) => `dynamodb:Describe${what}`),
  'description:mend': ['ContinuousBackups', 'Table', 'TimeToLive'].map((what) => `dynamodb:Update${what}`),
  'secret:describe': ['secretsmanager:DescribeSecret'],
  'secret:rotate': ['secretsmanager:RotateSecret', 'secretsmanager:UpdateSecretVersionStage'],
  'rotation:start': ['lambda:InvokeFunction'],
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

type Needs = readonly (OperatorNeed | readonly OperatorNeed[])[];

/** Support reads, locks, unlocks and revokes; an administrator may run every command. */
export type Group = 'support' | 'administrator';

export interface Permission {
  readonly group: Group;
  readonly needs: ReadonlySet<OperatorNeed>;
}

/** Needs of every command, or of every command that changes something. */
const COMMON: readonly OperatorNeed[] = ['stack:outputs', 'audit:write'];

const permit =
  (group: Group, common = COMMON) =>
  (...needs: Needs): Permission => ({ group, needs: new Set([...common, ...needs.flat()]) });
const reads = permit('support', ['stack:outputs']);
const supports = permit('support');
const administers = permit('administrator');

const ACCOUNT = 'table:GetItem:ACCOUNT';
const ACCOUNTS = ['index:GSI1:ACCOUNTS', ACCOUNT, 'table:BatchGetItem:ACCOUNT'] as const;
const CURSOR = ['table:GetItem:CURSORS', 'table:PutItem:CURSORS'] as const;
const TOKENS = ['table:Query:ACCOUNT', 'table:Query:NAMES', 'index:GSI1:TOKENS'] as const;
const GUARD = 'transaction:ConditionCheckItem:ACCOUNT:guard';
/** Conditions on the caller of a request; commands have no caller. */
const GUARDS: readonly Need[] = [
  GUARD,
  'transaction:ConditionCheckItem:ACCOUNT:session-guard',
  'transaction:ConditionCheckItem:TOKEN:end',
];
/** The needs of an endpoint without conditions on its caller. */
const of = ({ needs }: Pick<Contract, 'needs'>) => needs.flat().filter((need) => !GUARDS.includes(need));
/** The needs of {@link of} without those of an `Idempotency-Key`. */
const withoutKey = (contract: Pick<Contract, 'needs'>) =>
  of(contract).filter((need) => !need.endsWith(':MADE'));
/** Needs of a search for another administrator, and for the tokens that this one created. */
const LEAVING = [ACCOUNT, 'index:GSI1:ACCOUNTS', 'index:GSI1:TOKENS', GUARD] as const;
const STAMP = 'table:UpdateItem:ACCOUNT:logout';
const TOKEN_COUNT = 'transaction:UpdateItem:ACCOUNT:token';
const COSTS = ['table:BatchGetItem:PASSWORD', 'table:GetItem:STATS', 'table:PutItem:STATS'] as const;
const OF_FILE = ['transaction:UpdateItem:ACCOUNT:profile', 'transaction:PutItem:CANCELLED'] as const;
const MEMBERSHIPS = 'transaction:UpdateItem:ACCOUNT:memberships';
const SET_PASSWORD = ['transaction:UpdateItem:ACCOUNT:password', 'transaction:DeleteItem:CODE'] as const;
const PASSWORD = ['transaction:PutItem:PASSWORD', 'table:UpdateItem:STATS:cost'] as const;
const NEW = ['transaction:PutItem:ACCOUNT', 'transaction:UpdateItem:STATS:counter', ...PASSWORD] as const;
/** Needs of the counter of locks with an end. */
const ENDING = ['table:GetItem:SLICE', 'transaction:UpdateItem:SLICE:until'] as const;
const TABLE = ['description:read', 'secret:describe', 'table:Query:KEYS'] as const;
const MENDING = ['description:mend', 'signing-key:read', 'table:UpdateItem:KEYS'] as const;
const ROTATION = ['secret:describe', 'secret:rotate', 'rotation:start', 'table:Query:KEYS'] as const;

/** Needs of each command that works on a stack. */
export const COMMANDS: Readonly<Record<string, Permission>> = {
  'account show': reads(ACCOUNT, 'table:Query:ATTEMPTS'),
  'account list': reads(ACCOUNTS, 'table:Query:CANCELLED', CURSOR),
  'account lock': supports(LEAVING, of(lock)),
  'account unlock': supports(ACCOUNT, 'table:Query:ATTEMPTS', of(unlock)),
  'account reset-stamp': supports(ACCOUNT, STAMP),
  'account reset-stamps': supports(ACCOUNTS, 'table:Query:STATS', STAMP),
  'account sessions': reads(ACCOUNT, 'table:Query:SESSION', 'table:Query:KEYS'),
  'account sessions --end': supports(ACCOUNT, STAMP, of(endSession)),
  'account create': administers('table:BatchGetItem:TEAMS', NEW, PUBLISHING),
  'account password': administers(ACCOUNT, SET_PASSWORD, PASSWORD, PUBLISHING),
  'account code': administers(ACCOUNT, GUARD, 'transaction:PutItem:CODE'),
  'account add': administers(ACCOUNT, 'table:BatchGetItem:TEAMS', MEMBERSHIPS),
  'account remove': administers(LEAVING, 'table:BatchGetItem:TEAMS', MEMBERSHIPS),
  'account lockout': administers(ACCOUNT, 'table:UpdateItem:ACCOUNT:lockout'),
  'account cancel': administers(LEAVING, of(cancel)),
  'account reactivate': administers(ACCOUNT, of(reactivate)),
  'account password-costs': administers('index:GSI1:ACCOUNTS', COSTS),
  'team list': reads('table:Query:TEAMS'),
  'team create': administers(of(createTeam)),
  'token list': reads(ACCOUNT, TOKENS),
  'token delete': supports(ACCOUNT, of(remove)),
  'token revoke': supports(ACCOUNT, TOKENS, of(remove), 'table:DeleteItem:TOKEN'),
  'token create': administers(ACCOUNT, TOKEN_COUNT, of({ needs: TOKEN_CREATION }), PUBLISHING),
  'token rotate': administers(ACCOUNT, 'table:GetItem:TOKEN', withoutKey(rotate)),
  'events pending': reads('table:Query:OUTBOX'),
  'events publish': supports('table:Query:OUTBOX', 'table:DeleteItem:OUTBOX', 'events:PutEvents'),
  'events replay': administers('rule:read', 'archive:replay', 'replay:read'),
  'keys list': reads('table:Query:KEYS'),
  'keys rotate': administers(ROTATION),
  'keys revoke': administers(ROTATION, 'table:UpdateItem:KEYS', 'table:GetItem:KEYS'),
  'restore check': reads(TABLE),
  'restore check --mend': administers(TABLE, MENDING),
  audit: reads('audit:read'),
  doctor: reads(TABLE, 'table:Query:OUTBOX', 'table:GetItem:STATS'),
  export: supports(ACCOUNTS),
  import: administers(ACCOUNTS, 'table:Query:TEAMS', NEW, OF_FILE, ENDING, PUBLISHING),
};

/** The needs of all commands of a group. */
export const needsOfGroup = (group: Group): readonly OperatorNeed[] => {
  const own = Object.values(COMMANDS).filter((one) => group === 'administrator' || one.group === group);
  return [...new Set(own.flatMap(({ needs }) => [...needs]))];
};

/** Actions of a need, with the kind of item. */
function actionsOf(need: OperatorNeed): readonly string[] {
  if (isOperatorAction(need)) return OPERATOR_ACTIONS[need];
  const [place, action, kind] = need.split(':');
  if (place === 'index') return [`Query ${kind}`];
  return kind === undefined ? [need] : [`${action} ${kind}`];
}

/** The table of commands: head and rows. */
export function permissionsTable() {
  const rows = Object.entries(COMMANDS).map(([command, { group, needs }]) => {
    const actions = new Set([...needs].filter((need) => !COMMON.includes(need)).flatMap(actionsOf));
    return [`\`${command}\``, group === 'support' ? 'yes' : 'no', [...actions].sort().join(', ')];
  });
  return [['Command', 'Support', 'Actions'], rows] as const;
}
