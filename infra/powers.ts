import { streamOf, VERIFIED } from '#lib/audit/streams';
import { PARTITIONS } from '#lib/table/keys';
import { type IamRequest, isAllowed, type Statement } from './policy.ts';

const of = (type: string) => `\${AWS::${type}}`;

/**
 * How IAM may judge a write of a transaction, which AWS does not document: by its own key and attributes, or by those of
 * the whole request.
 */
export type Reading = 'each' | 'whole';
export const READINGS: readonly Reading[] = ['each', 'whole'];

/** A use of a resource: the request of it alone, and requests that contain it as a write of a transaction. */
interface Access {
  readonly alone: IamRequest;
  readonly transactions: Readonly<Record<Reading, readonly IamRequest[]>>;
}

/** DynamoDB actions on an item of a partition, each alone and in a transaction. */
const on = (PK: string, actions: string, ...attributes: readonly string[]): readonly Access[] =>
  actions.split(' ').map((action) => {
    const request = (keys: readonly string[], enclosing: readonly string[] = []): IamRequest => ({
      action: `dynamodb:${action}`,
      resource: of('DynamoDB::GlobalTable'),
      context: {
        'dynamodb:LeadingKeys': keys,
        'dynamodb:Attributes': ['PK', 'SK', ...attributes],
        'dynamodb:EnclosingOperation': enclosing,
      },
    });
    const inTransaction = (...keys: readonly string[]) => request(keys, ['TransactWriteItems']);
    // A thief adds the same write of an item of any other kind: it names no other attribute.
    const beside = Object.values(PARTITIONS).map((partition) => inTransaction(PK, `${partition}y`));
    return {
      alone: request([PK]),
      transactions: { each: [inTransaction(PK)], whole: [inTransaction(PK), ...beside] },
    };
  });
const READ = 'GetItem BatchGetItem Query';
const WRITE = 'PutItem UpdateItem';
const use = (action: string, type: string): readonly Access[] => [
  {
    alone: { action, resource: type.includes('::') ? of(type) : `\${${type}}`, context: {} },
    transactions: { each: [], whole: [] },
  },
];

/** A line in a stream of a log group: of functions, or the audit log. */
const line = (stream: string): readonly Access[] => {
  const ofStack = [of('Partition'), 'logs', of('Region'), of('AccountId'), 'log-group', of('Logs::LogGroup')];
  const resource = ['arn', ...ofStack, 'log-stream', stream].join(':');
  return [
    {
      alone: { action: 'logs:PutLogEvents', resource, context: {} },
      transactions: { each: [], whole: [] },
    },
  ];
};

/** A line in a stream of a function, from which `audit.collect` takes those of its own action only. */
const lineOf = (id: string) => line(`2026/11/20/core-account-${id.replace('.', '-')}[$LATEST]0`);

/** A scan of the table that names attributes, or reads whole items. */
const scan = (...attributes: readonly (string | undefined)[]): readonly Access[] => [
  {
    alone: {
      action: 'dynamodb:Scan',
      resource: of('DynamoDB::GlobalTable'),
      context: attributes.includes(undefined)
        ? { 'dynamodb:Select': ['ALL_ATTRIBUTES'] }
        : {
            'dynamodb:Attributes': ['PK', 'SK', ...attributes.filter((name) => name !== undefined)],
            'dynamodb:Select': ['SPECIFIC_ATTRIBUTES'],
          },
    },
    transactions: { each: [], whole: [] },
  },
];

/** The query of a listing in the index, which has whole items. */
const listed = (PK: string): readonly Access[] => [
  {
    alone: {
      action: 'dynamodb:Query',
      resource: `${of('DynamoDB::GlobalTable')}/index/GSI1`,
      context: { 'dynamodb:LeadingKeys': [PK] },
    },
    transactions: { each: [], whole: [] },
  },
];

/** Powers of a stolen role over any item of a kind: it has one if its policy allows one of the accesses. */
const POWERS: Readonly<Record<string, readonly Access[]>> = {
  'change `roles` of an account': on('ACCOUNT#x', WRITE, 'roles'),
  'change `isactive` of an account': on('ACCOUNT#x', WRITE, 'isactive'),
  'change `stamp` of an account, which ends its sessions': on('ACCOUNT#x', WRITE, 'stamp'),
  'change `lockoutend` of an account': on('ACCOUNT#x', WRITE, 'lockoutend'),
  'change `id` of an account': on('ACCOUNT#x', WRITE, 'id'),
  'change `username` of an account': on('ACCOUNT#x', WRITE, 'username'),
  'replace an item of an account': on('ACCOUNT#x', 'PutItem'),
  'delete items of an account': on('ACCOUNT#x', 'DeleteItem'),
  'let DynamoDB remove an account by `ttl`': on('ACCOUNT#x', WRITE, 'ttl'),
  'forget failed logins, codes and assertions, which their limits count': on('ATTEMPTS#x', WRITE, 'attempts'),
  'block or unblock a source address': on('ATTEMPTS#x', WRITE, 'blocked_until'),
  'create an API token for an account': on('TOKEN#x', WRITE, 'userid'),
  'delete an API token': on('TOKEN#x', 'DeleteItem'),
  'read password hashes': on('PASSWORD#x', READ),
  'replace a password hash': on('PASSWORD#x', WRITE, 'hash'),
  'create a one-time code, which sets a password': on('CODE#x', WRITE, 'code_sha256'),
  'read hashes of one-time codes': on('CODE#x', READ),
  'stop creations and erasures, by the check value of the erasure key': on(
    'ERASURE_KEY',
    `${WRITE} DeleteItem`,
    'key_check',
  ),
  'read the private key': use('secretsmanager:GetSecretValue', 'SecretsManager::Secret'),
  'replace the private key': use('secretsmanager:PutSecretValue', 'SecretsManager::Secret'),
  'publish a public key': on('KEYS', WRITE, 'jwk'),
  'replace the keys of an issuer, and so sign in as any machine that trusts it': on(
    'ISSUER#x',
    WRITE,
    'jwks',
  ),
  'make a revoked key valid': [
    ...on('KEYS', 'UpdateItem', 'revoked_at'),
    ...on('KEYS', 'PutItem DeleteItem'),
  ],
  'read the private key of tokens for other services, and so sign any of them': use(
    'secretsmanager:GetSecretValue',
    'ResourceKey',
  ),
  'replace the private key of tokens for other services': use('secretsmanager:PutSecretValue', 'ResourceKey'),
  'publish or withdraw a public key of tokens for other services, which they learn within 2 hours': on(
    'RESOURCE_KEYS',
    WRITE,
    'jwk',
  ),
  'make a revoked key of tokens for other services valid': [
    ...on('RESOURCE_KEYS', 'UpdateItem', 'revoked_at'),
    ...on('RESOURCE_KEYS', 'PutItem DeleteItem'),
  ],
  'read the key of the hashes of erased usernames': use('secretsmanager:GetSecretValue', 'ErasureKey'),
  'read the names of accounts in the whole table at once, and who did what in `audit.browse`': scan(
    'username',
    'actor',
  ),
  'read anything else in the whole table at once': [
    ...scan('hash'),
    ...scan('roles'),
    ...scan('code_sha256'),
    ...scan('secret'),
    ...scan('PK', undefined),
  ],
  'read the secret that signs cursors': on('CURSORS', READ),
  'read the secret that signs challenges for passkeys': on('CHALLENGES', READ),
  'create a passkey for an account': on('ACCOUNT#x', WRITE, 'passkeys'),
  'replace the public key of a passkey': on('PASSKEY#x', WRITE, 'public_key'),
  'change or remove entries of `audit.browse`, not of the audit log': on(
    'AUDIT#x',
    'BatchWriteItem UpdateItem',
    'target',
  ),
  'put entries of any action except commands, by anyone except operators, into the audit log': line(VERIFIED),
  'put entries of commands, by its own operators, into the audit log': line(streamOf('support')),
  'put entries of `account.erase`, by anyone except operators and about anyone, into the audit log':
    lineOf('account.erase'),
  'put entries of `system.ping`, likewise, and so each function those of its own action only':
    lineOf('system.ping'),
  'commit a `user_erase` event, which the relay publishes': on('OUTBOX', WRITE, 'user_erase'),
  'commit a `user_cancel` event, which the relay publishes': on('OUTBOX', WRITE, 'user_cancel'),
  'publish any event': use('events:PutEvents', 'Events::EventBus'),
  'read any account': [...on('ACCOUNT#x', READ), ...listed('ACCOUNTS#1')],
};

/** Why a power has more holders if AWS judges whole transactions. The test of this table permits no other difference. */
export const DIFFERENCES: Readonly<Record<string, string>> = {
  'change `stamp` of an account, which ends its sessions': 'the condition on the caller names `stamp`',
  'let DynamoDB remove an account by `ttl`':
    'items that expire are written beside their account, and a table has one such attribute',
  'create a one-time code, which sets a password':
    'it compares the code, and may replace password hashes anyway',
};

/** What ended, and works again when a former value is written back, for those who have kept it. */
interface Revival {
  readonly accesses: readonly Access[];
  readonly revives: string;
}

/** Values of an account that end credentials. All other values of an account, such as `roles`, are powers in themselves. */
const REVIVALS: Readonly<Record<string, Revival>> = {
  stamp: {
    accesses: on('ACCOUNT#x', WRITE, 'stamp'),
    revives:
      'sessions that a logout, lock, cancel, new password or reset ended, until they expire; one-time codes that these or their use ended, until they expire or another code replaces them',
  },
  'ended`, `ended_until': {
    accesses: [...on('ACCOUNT#x', WRITE, 'ended'), ...on('ENDED#x', WRITE, 'ended_at')],
    revives:
      'single sessions that were ended, and sessions of secrets that were deleted or replaced, until they expire',
  },
  token_generation: {
    accesses: on('ACCOUNT#x', WRITE, 'token_generation'),
    revives:
      'tokens that were all revoked at once, until their items are removed; sessions of these tokens, until they expire',
  },
  code_generation: {
    accesses: on('ACCOUNT#x', WRITE, 'code_generation'),
    revives: 'one-time codes that the account made for others, until they expire',
  },
  'passkeys`, `enrolments': {
    accesses: on('ACCOUNT#x', WRITE, 'passkeys'),
    revives: 'sessions that a removed passkey opened, until they expire',
  },
};

type Policies = Readonly<Record<string, readonly Statement[]>>;

/** Those whose policy allows one of the accesses. */
function holdersOf(policies: Policies, accesses: readonly Access[], reading: Reading) {
  const requests = accesses.flatMap(({ alone, transactions }) => [alone, ...transactions[reading]]);
  const holds = (id: string) => requests.some((request) => isAllowed(policies[id] ?? [], request));
  return Object.keys(policies).filter(holds);
}

/** Who may write back a former value under either reading of transactions, and what that revives. */
export const holdersOfRevivals = (policies: Policies) =>
  Object.entries(REVIVALS).map(([attribute, { accesses, revives }]) => ({
    attribute,
    revives,
    holders: holdersOf(policies, accesses, 'whole'),
  }));

/**
 * The holders of each power, by the statements of each function or group of operators as infra/aws/policies.ts prints
 * them.
 *
 * @param reading of transactions
 */
export const holdersOfPowers = (policies: Policies, reading: Reading = 'each') =>
  Object.entries(POWERS).map(([power, accesses]) => [power, holdersOf(policies, accesses, reading)] as const);
