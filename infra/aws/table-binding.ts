import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { unique } from '#lib/account/identifiers';
import { ATTRIBUTES, type WriteKind } from '#lib/contract/attributes';
import { type ItemKind, leadingKeyOf, type Need } from '#lib/contract/needs';
import { NAMING } from '#lib/table/scan';
import { TABLE } from '#lib/table/shape';
import { type Binding, type Grant, useOfKey } from './binding.ts';

/**
 * The table as a resource of functions. One statement grants a read of exactly the kinds of item that a function reads,
 * because IAM allows a request with several keys only if one statement matches them all. Each write has a statement of
 * its own: one action on one kind of item, with the attributes of one kind of write.
 *
 * AWS does not document whether it judges the writes of a transaction one by one or with the keys and attributes of the
 * whole request. For the latter, one more statement grants all writes of transactions to requests with keys of several
 * kinds. It applies to no write that is judged alone. All such transactions of a function change or check an account, or spend
 * a token of an issuer. It permits each of their actions on each of their kinds with all of their attributes: so an item is created by an update
 * (`creating`) and removed after the transaction, and critical attributes have names of their own. The table of powers
 * lists what differs.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html
 */
export function tableBinding({ tableArn, tableName }: ITable, key: IKey | undefined): Binding {
  return {
    value: tableName,
    meets: (need) => need === SCAN || /^(table|transaction|index):/.test(need),
    grants: (needs, isMerged = false) => {
      const parsed = needs.filter((need) => need !== SCAN).map(parse);
      const inTransactions = parsed.filter(({ place }) => place === 'transaction');
      // A write that is permitted alone is also permitted in a transaction.
      const own = parsed.filter(
        ({ place, action, what }) =>
          place !== 'transaction' || !needs.includes(`table:${action}:${what}` as Need),
      );
      return [
        ...Object.values(Object.groupBy(own, isMerged ? mergedStatementOf : statementOf)).map((group = []) =>
          grantOf(tableArn, group),
        ),
        ...(keysOf(inTransactions).length > 1
          ? anchorsIn(inTransactions).map((kind) => grantOf(tableArn, inTransactions, besides(kind)))
          : []),
        ...(needs.includes(SCAN) ? [scanOf(tableArn)] : []),
        ...useOfKey(key, 'dynamodb', ['Decrypt']),
      ];
    },
  };
}

const SCAN = 'names:scan' satisfies Need;

/** The scan of the table for attributes that name accounts: a request for any other, or for whole items, is refused. */
const scanOf = (resource: string): Grant => ({
  actions: ['dynamodb:Scan'],
  resource,
  conditions: {
    'ForAllValues:StringEquals': { 'dynamodb:Attributes': [...NAMING] },
    StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
    Null: { 'dynamodb:Attributes': 'false' },
  },
});

interface Parsed {
  readonly place: 'table' | 'transaction' | 'index';
  readonly action: string;
  readonly kind: ItemKind;
  /** The kind of item, and the kind of write if there are several. */
  readonly what: string;
  readonly index?: string | undefined;
}

function parse(need: Need): Parsed {
  const [place, action, kind, ...write] = need.split(':') as [Parsed['place'], string, ItemKind];
  const parsed = { place, action, kind, what: [kind, ...write].join(':') };
  return place === 'index' ? { ...parsed, action: 'Query', index: action } : parsed;
}

const namesAttributes = ({ action }: Parsed) => /^(Put|Update)Item$/.test(action);

/** Key of the statement that grants a need; needs with the same key share one. */
const statementOf = (need: Parsed) =>
  [need.place, need.action, need.index, namesAttributes(need) ? need.what : ''].join(' ');

/** Kinds of items that let someone in, and those with writes outside of transactions. */
const KEPT_APART = /^(ACCOUNT|PASSWORD|CODE|SESSION|KEYS|RESOURCE_KEYS|CURSORS|PASSKEY|CHALLENGES)$/;

/**
 * The same for all writes of a kind of item, for all reads, and for the transactions of all kinds that let nobody in. A
 * condition shows less than a read.
 */
const mergedStatementOf = (need: Parsed) => {
  if (/Get|Query|ConditionCheck/.test(need.action)) return `read ${need.index}`;
  if (!namesAttributes(need)) return need.action;
  const isShared = need.place === 'transaction' && !KEPT_APART.test(need.kind);
  return `${need.action} ${isShared ? 'in transactions' : need.kind}`;
};

/** Each transaction with keys of several kinds has a key of one of these. */
const ANCHORS = ['ACCOUNT', 'GRANT'] as const;

const anchorsIn = (needs: readonly Parsed[]) =>
  ANCHORS.filter((anchor) => needs.some(({ kind }) => kind === anchor));

/** The condition that a request has a key of this kind, and one of another. */
const besides = (kind: ItemKind) => ({
  'ForAnyValue:StringLike': { 'dynamodb:LeadingKeys': leadingKeyOf(kind) },
  'ForAnyValue:StringNotLike': { 'dynamodb:LeadingKeys': leadingKeyOf(kind) },
});

/** `ForAllValues` matches a request without values; `Null` excludes it. */
function grantOf(tableArn: string, needs: readonly Parsed[], others: object = {}): Grant {
  const [{ index }] = needs as [Parsed];
  const lists = {
    'dynamodb:LeadingKeys': keysOf(needs),
    ...(needs.some(namesAttributes) ? { 'dynamodb:Attributes': attributesOf(needs) } : {}),
  };
  return {
    actions: unique(needs.map(({ action }) => `dynamodb:${action}`)),
    resource: index === undefined ? tableArn : `${tableArn}/index/${index}`,
    conditions: {
      'ForAllValues:StringLike': lists,
      Null: Object.fromEntries(Object.keys(lists).map((key) => [key, 'false'])),
      ...(needs.every(({ place }) => place === 'transaction') && {
        'ForAnyValue:StringEquals': { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] },
      }),
      ...others,
    },
  };
}

const keysOf = (needs: readonly Parsed[]) => unique(needs.map(({ kind }) => leadingKeyOf(kind)));

const attributesOf = (needs: readonly Parsed[]) => [
  TABLE.partitionKey,
  TABLE.sortKey,
  ...unique(needs.flatMap(({ what }) => namesOf(what))),
];

/** Sorted: no order in the sources changes a template. */
const namesOf = (what: string): readonly string[] =>
  what in ATTRIBUTES ? [...ATTRIBUTES[what as WriteKind]].sort() : [];
