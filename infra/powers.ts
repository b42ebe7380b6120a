import { type IamRequest, isAllowed, type Statement } from './policy.ts';

const of = (type: string) => `\${AWS::${type}}`;

/** DynamoDB actions on an item of a partition, each alone and in a transaction. */
const on = (PK: string, actions: string, ...attributes: readonly string[]): readonly IamRequest[] =>
  actions.split(' ').flatMap((action) =>
    [[], ['TransactWriteItems']].map((enclosing) => ({
      action: `dynamodb:${action}`,
      resource: of('DynamoDB::GlobalTable'),
      context: {
        'dynamodb:LeadingKeys': [PK],
        'dynamodb:Attributes': ['PK', 'SK', ...attributes],
        'dynamodb:EnclosingOperation': enclosing,
      },
    })),
  );
const READ = 'GetItem BatchGetItem Query';
const WRITE = 'PutItem UpdateItem';
const use = (action: string, type: string) => [{ action, resource: of(type), context: {} }];

/** Powers of a stolen role over any item of a kind: it has one if its policy allows one of the accesses. */
const POWERS: Readonly<Record<string, readonly IamRequest[]>> = {
  'change `roles` of an account': on('ACCOUNT#x', WRITE, 'roles'),
  'change `isactive` of an account': on('ACCOUNT#x', WRITE, 'isactive'),
  'change `stamp` of an account, which ends its sessions': on('ACCOUNT#x', WRITE, 'stamp'),
  'change `lockoutend` of an account': on('ACCOUNT#x', WRITE, 'lockoutend'),
  'change `id` of an account': on('ACCOUNT#x', WRITE, 'id'),
  'change `username` of an account': on('ACCOUNT#x', WRITE, 'username'),
  'replace an item of an account': on('ACCOUNT#x', 'PutItem'),
  'delete items of an account': on('ACCOUNT#x', 'DeleteItem'),
  'create an API token for an account': on('TOKEN#x', WRITE, 'userid'),
  'delete an API token': on('TOKEN#x', 'DeleteItem'),
  'read password hashes': on('PASSWORD#x', READ),
  'replace a password hash': on('PASSWORD#x', WRITE, 'hash'),
  'create a one-time code, which sets a password': on('CODE#x', WRITE, 'code_sha256'),
  'read hashes of one-time codes': on('CODE#x', READ),
  'read the private key': use('secretsmanager:GetSecretValue', 'SecretsManager::Secret'),
  'publish a public key': on('KEYS', WRITE, 'jwk'),
  'make a revoked key valid': [
    ...on('KEYS', 'UpdateItem', 'revoked_at'),
    ...on('KEYS', 'PutItem DeleteItem'),
  ],
  'read the secret that signs cursors': on('CURSORS', READ),
  'change or remove entries of `audit.browse`, not of the audit log': on('AUDIT#x', 'BatchWriteItem'),
  'publish any event': use('events:PutEvents', 'Events::EventBus'),
  'read any account': on('ACCOUNT#x', READ),
};

/** The functions that have each power, by the statements of each function as infra/aws/policies.ts prints them. */
export const holdersOfPowers = (policies: Readonly<Record<string, readonly Statement[]>>) =>
  Object.entries(POWERS).map(([power, accesses]) => {
    const holds = (id: string) => accesses.some((access) => isAllowed(policies[id] ?? [], access));
    return [power, Object.keys(policies).filter(holds)] as const;
  });
