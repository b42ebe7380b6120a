import type { IamRequest } from '#infra/policy';
import { TABLE } from '#lib/table/shape';
import { ACCOUNT_ID } from '../../machine/resource-names.ts';
import type { Input } from '../../machine/serve-aws.ts';

type Arns = ReturnType<typeof arnsIn>;

/** ARNs of the resources of an account, by default of a local instance. */
export const arnsIn = (region: string, account = ACCOUNT_ID) => {
  const arn = (service: string, resource: string) => `arn:aws:${service}:${region}:${account}:${resource}`;
  return {
    table: (name: string) => arn('dynamodb', `table/${name}`),
    bus: (name: string) => arn('events', `event-bus/${name}`),
    stream: (logGroup: string, name: string) => arn('logs', `log-group:${logGroup}:log-stream:${name}`),
    // Its ARN ends in six random characters, which its name does not have.
    secret: (id: string) =>
      id.startsWith('arn:') ? id.replace(/-\w{6}$/, '') : arn('secretsmanager', `secret:${id}`),
  };
};

/** The permissions that a call needs. @param target such as `DynamoDB_20120810.GetItem` */
export function iamRequestsOf(target: string, input: Input, arns: Arns): IamRequest[] {
  const [service = '', operation = ''] = target.split('.');
  if (service.startsWith('DynamoDB')) return ofDynamoDB(operation, input, arns);
  if (service === 'AWSEvents')
    return ((input['Entries'] ?? [{}]) as Input[]).map(({ EventBusName = 'default' }) => ({
      action: `events:${operation}`,
      resource: arns.bus(String(EventBusName).split('/').at(-1) as string),
      context: {},
    }));
  if (service.startsWith('Logs')) {
    const { logGroupName, logStreamName } = input as Readonly<Record<string, string>>;
    const resource = arns.stream(`${logGroupName}`, `${logStreamName}`);
    return [{ action: `logs:${operation}`, resource, context: {} }];
  }
  const resource = arns.secret(String(input['SecretId'] ?? input['Name']));
  return [{ action: `${service}:${operation}`, resource, context: {} }];
}

/** @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html */
function ofDynamoDB(operation: string, input: Input, arns: Arns): IamRequest[] {
  const { TransactItems, RequestItems } = input as {
    TransactItems?: readonly Readonly<Record<string, Input>>[];
    RequestItems?: Readonly<Record<string, { readonly Keys?: readonly Input[] } | readonly Puts[]>>;
  };
  if (TransactItems) return ofTransaction(operation, TransactItems, arns);
  if (RequestItems)
    return Object.entries(RequestItems).map(([name, of]) => ({
      action: `dynamodb:${operation}`,
      resource: arns.table(name),
      context: { 'dynamodb:LeadingKeys': inputsOf(of).flatMap(keysOf) },
    }));
  const context = {
    'dynamodb:LeadingKeys': keysOf(input),
    ...((WRITES.test(operation) || 'ProjectionExpression' in input) && {
      'dynamodb:Attributes': attributesOf(input),
    }),
    ...(operation === 'Scan' && { 'dynamodb:Select': [String(input['Select'] ?? 'ALL_ATTRIBUTES')] }),
  };
  return [{ action: `dynamodb:${operation}`, resource: resourceOf(input, arns), context }];
}

type Puts = Readonly<Record<string, Input>>;

const inputsOf = (of: { readonly Keys?: readonly Input[] } | readonly Puts[]): readonly Input[] =>
  'length' in of ? of.flatMap((write) => Object.values(write)) : (of.Keys ?? []).map((Key) => ({ Key }));

const WRITES = /^(Put|Update|Delete)Item$/;

/**
 * Each operation of a transaction is an action of its own. AWS does not document whether its leading keys and attributes
 * are its own or those of the whole transaction: here it must be allowed with both.
 */
function ofTransaction(
  operation: string,
  items: readonly Readonly<Record<string, Input>>[],
  arns: Arns,
): IamRequest[] {
  const all = items.flatMap((item) => Object.entries(item));
  const contextOf = (inputs: readonly Input[]) => ({
    'dynamodb:EnclosingOperation': [operation],
    'dynamodb:LeadingKeys': inputs.flatMap(keysOf),
    'dynamodb:Attributes': inputs.flatMap(attributesOf),
  });
  const whole = contextOf(all.map(([, input]) => input));
  return all.flatMap(([name, input]) =>
    [contextOf([input]), whole].map((context) => ({
      action: `dynamodb:${name}Item`,
      resource: resourceOf(input, arns),
      context,
    })),
  );
}

const resourceOf = ({ TableName, IndexName }: Input, arns: Arns) =>
  `${arns.table(String(TableName))}${IndexName === undefined ? '' : `/index/${IndexName}`}`;

type Named = Readonly<Record<string, string>>;
type Values = Readonly<Record<string, { readonly S?: string }>>;

/** The partition keys that an operation names: of its items, or of its query. */
function keysOf(input: Input): string[] {
  const item = (input['Key'] ?? input['Item']) as Values | undefined;
  if (item) return [item[TABLE.partitionKey]?.S ?? ''];
  const { ExpressionAttributeNames: names, ExpressionAttributeValues: values } = input as {
    ExpressionAttributeNames?: Named;
    ExpressionAttributeValues?: Values;
  };
  const index = TABLE.indexes.find(({ name }) => name === input['IndexName']);
  const { partitionKey } = index ?? TABLE;
  const equations = String(input['KeyConditionExpression'] ?? '').matchAll(/(#?\w+)\s*=\s*(:\w+)/g);
  return [...equations].flatMap(([, name = '', value = '']) =>
    (names?.[name] ?? name) === partitionKey ? [values?.[value]?.S ?? ''] : [],
  );
}

const EXPRESSIONS = ['Update', 'Condition', 'Projection', 'Filter'];
const KEYWORDS = new Set(['SET', 'REMOVE', 'ADD', 'DELETE', 'AND', 'OR', 'NOT', 'BETWEEN', 'IN']);

/** The attributes that a request names: in its key or item, and in its expressions. */
export function attributesOf(input: Input): string[] {
  const names = (input['ExpressionAttributeNames'] ?? {}) as Named;
  const expressions = EXPRESSIONS.map((name) => input[`${name}Expression`] ?? '').join(' ');
  // Skips placeholders of values, nested attributes, and functions.
  const named = [...expressions.matchAll(/(?<![:.\w#])(?:#\w+|[A-Za-z_]\w*)\b(?!\s*\()/g)].map(
    ([name]) => name,
  );
  return [
    ...new Set([
      ...Object.keys((input['Key'] ?? input['Item'] ?? {}) as object),
      ...named.filter((name) => !KEYWORDS.has(name.toUpperCase())).map((name) => names[name] ?? name),
    ]),
  ];
}
