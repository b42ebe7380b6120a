import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { PERMITTED, permissionsTable } from '#infra/admin/needs';
import { type Group, of } from '#infra/admin/operator-needs';
import { type IamRequest, isAllowed } from '#infra/policy';
import { contract as erase } from '#lib/erasure/erase.contract';
import { EVENT_TYPES, type EventType } from '#lib/instance/settings';
import { erasureKeyCheckKey, tokenKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put, remove } from '#lib/table/write';
import { createToken } from '#lib/token/create';
import { hashApiToken } from '#lib/token/secret';
import { NAMES } from '../../../infra/local/machine/resource-names.ts';
import { loadPolicies } from '../../../infra/local/services/iam/confinement.ts';
import { arnsIn, iamRequestsOf } from '../../../infra/local/services/iam/requests.ts';
import { by } from '../support/engine.ts';
import { argumentsOf, arrange, EVENTS, ISSUERS, RUNS } from './every-command.ts';
import { openInstance } from './operator.ts';

const it = await openInstance({ Events: EVENTS, Issuers: ISSUERS, ErasureAfterDays: '0' });
const { table, wire, secrets, relay } = it;
const REGION = 'eu-west-1';
const arns = arnsIn(REGION);
const policies = await loadPolicies(REGION, table.name, 'operators');
const isAllowedTo = (group: Group, access: IamRequest) => isAllowed(policies.get(group) ?? [], access);

/** The invocation of a function of the stack. */
const INVOCATION: IamRequest = {
  action: 'lambda:InvokeFunction',
  resource: `\${AWS::Lambda::Function}`,
  context: {},
};

/** The reads of a secret, which only the erasure key can be for commands that have it to spare, and of its check value. */
const ERASURE_KEY = /^(secretsmanager:GetSecretValue|dynamodb:GetItem ERASURE_KEY)/;

/** The actions of the last command that a group may not do. */
const deniedTo = (group: Group): string[] =>
  [
    ...wire.commands.map(({ operation, input }) => [`DynamoDB_20120810.${operation}`, input] as const),
    ...secrets
      .operations()
      .map((name) => [`secretsmanager.${name}`, { SecretId: NAMES.signingKey }] as const),
  ]
    .flatMap(([target, input]) => iamRequestsOf(target, input, arns))
    .concat(relay.asked.map(() => INVOCATION))
    .filter((access) => !isAllowedTo(group, access))
    .map(({ action, context }) => `${action} ${context['dynamodb:LeadingKeys'] ?? ''}`);

test('the table of permissions lists every command as its page does', () => {
  const [head, rows] = permissionsTable();
  const page = readFileSync('infra/admin/permissions.md', 'utf8');
  const lines = [head, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  expect(page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))).toEqual(
    lines,
  );
});

/** Needs on items as `<action> <kind>`; reading one item or several is the same. */
const onItems = (needs: Iterable<string>) => {
  const parts = [...needs].map((need) => need.split(':')).filter(([place]) => !place?.includes('-'));
  const actions = parts.flatMap(([place, action, kind]) => {
    if (!kind || !/^(table|transaction|index)$/.test(place as string)) return [];
    return `${place === 'index' ? 'Query' : action?.replace('Batch', '')} ${kind}`;
  });
  return [...new Set(actions)].sort();
};

/** Commands that list the tokens of an account, apart from its export. */
const LISTING_TOKENS = ['token list', 'account show', 'account lock', 'account unlock', 'account password'];

/**
 * Needs that only a change of the key that signs would use here, an instance that publishes the ends of tokens, or an account
 * with more ended sessions than its item lists.
 */
const UNUSED: Readonly<Record<string, readonly string[]>> = {
  // Acts on others, which the account does not have; the secret of cursors exists.
  'account export': ['GetItem TOKEN', 'GetItem ENDED', 'GetItem AUDIT', 'PutItem CURSORS'],
  // The index of the engine lacks no token: the test of lists without it follows.
  ...Object.fromEntries(LISTING_TOKENS.map((command) => [command, ['GetItem TOKEN']])),
  // What the account does not have.
  'account erase': [
    ...['ATTEMPTS', 'ENDED', 'EXPIRING', 'MADE', 'SESSION'].map((kind) => `DeleteItem ${kind}`),
    'UpdateItem SLICE',
  ],
  // No name of an erased account.
  import: ['ConditionCheckItem ERASING', 'UpdateItem ERASED'],
  'account sessions': ['GetItem ENDED'],
  'account sessions --end': ['UpdateItem ENDED'],
  'keys revoke': ['KEYS', 'RESOURCE_KEYS'].flatMap((kind) => [`GetItem ${kind}`, `Query ${kind}`]),
  // The audit log has no erasure.
  'restore check': ['GetItem ACCOUNT', 'GetItem ERASED'],
  'restore check --mend': [
    ...['UpdateItem KEYS', 'UpdateItem RESOURCE_KEYS', 'GetItem ACCOUNT', 'GetItem ERASED'],
    ...['ConditionCheckItem ACCOUNT', 'UpdateItem ERASED', 'UpdateItem ERASING'],
  ],
  'restore adopt-key': ['GetItem ACCOUNT', 'GetItem ERASED'],
  // What the account does not have.
  'restore erase-again': onItems(of(erase)).filter(
    (need) =>
      need === 'GetItem ERASING' ||
      /^DeleteItem (?!ACCOUNT|PASSWORD|CODE)/.test(need) ||
      need === 'UpdateItem SLICE',
  ),
  'trust list': ['PutItem CURSORS'],
  'token create': ['UpdateItem EXPIRING'],
  'token delete': ['UpdateItem ENDED'],
  'token revoke': ['UpdateItem ENDED'],
  'token rotate': ['UpdateItem EXPIRING', 'UpdateItem ENDED'],
};

/** Commands that use services without a local counterpart. */
const onItemsOnly = PERMITTED.filter(({ command }) => !['events replay', 'audit'].includes(command));

const isChange = (need: string) =>
  /:(Put|Update|Delete)|:(mend|rotate|start|replay)$/.test(need) && !/:(CURSORS|CHALLENGES)$/.test(need);

test('every command that changes something is audited', () => {
  const unaudited = PERMITTED.filter(({ needs, audited }) => [...needs].some(isChange) && !audited);
  expect(unaudited.map(({ command }) => command)).toEqual([]);
});

test('each group may read the tokens that the index does not have yet', async () => {
  const ada = await it.account();
  const { value } = await createToken(it.runtime, ada, 'new', by('ada'));
  const key = tokenKey(hashApiToken(value));
  await put(table, key, { ...(await get(table, key)), GSI1PK: 'UNINDEXED' } as never);
  for (const command of ['token list', 'account show']) {
    wire.reset();
    expect((await it.run([...command.split(' '), ada.username])).code).toBe(0);
    expect(onItems(wire.commands.flatMap((one) => one.needs))).toContain('GetItem TOKEN');
    for (const group of ['support', 'administrator'] as const) expect(deniedTo(group)).toEqual([]);
  }
});

/** Commands of administrators that only invoke a function: test/infra/functions.test.ts distinguishes those of the stack. */
const INVOKES = ['audit refill'];

const { prepare, prepareAll } = arrange(it);

beforeAll(prepareAll);

test.each(onItemsOnly)(
  '$command needs the permissions of the page, and its groups have them',
  async ({ command, group, needs, spare }) => {
    const runs = RUNS[command] ?? [''];
    // As in a table of an earlier version.
    await remove(table, erasureKeyCheckKey);
    const names = await prepare(runs.join());
    for (const run of runs) {
      const { stderr } = await it.run(argumentsOf(`${command} ${run}`, names), 'correct horse');
      const message = `The arguments of ${command} are those of RUNS in test/unit/admin/every-command.ts`;
      expect(stderr, message).not.toMatch(/^(error|unavailable|account_not_found|invalid_request)/m);
    }
    const used = onItems(wire.commands.flatMap((one) => one.needs));
    expect(used).toEqual(onItems([...needs, ...spare]).filter((need) => !UNUSED[command]?.includes(need)));
    expect(deniedTo('administrator')).toEqual([]);
    const denied = deniedTo('support').filter(
      (one) => !(spare.includes('erasure-key:read') && ERASURE_KEY.test(one)),
    );
    expect(denied.length === 0).toBe(group === 'support' || INVOKES.includes(command));
  },
);

test.each([
  {
    secret: 'private key',
    action: 'secretsmanager:GetSecretValue',
    resource: arns.secret(NAMES.signingKey),
    keys: [],
  },
  {
    secret: 'key of erased names',
    action: 'secretsmanager:PutSecretValue',
    resource: arns.secret(NAMES.erasureKey),
    keys: [],
  },
  {
    secret: 'hash of a password',
    action: 'dynamodb:GetItem',
    resource: arns.table(table.name),
    keys: ['PASSWORD#ada'],
  },
])('support may not read or replace a $secret, and administrators may', ({ action, resource, keys }) => {
  const access = { action, resource, context: { 'dynamodb:LeadingKeys': keys } };
  expect(isAllowedTo('support', access)).toBe(false);
  expect(isAllowedTo('administrator', access)).toBe(true);
});

const GROUPS = ['support', 'administrator'] as const;

test.each(GROUPS)('%s may not put events on the bus, and may ask the relay to publish', (group) => {
  const access = { action: 'events:PutEvents', resource: arns.bus(NAMES.eventBus), context: {} };
  expect(isAllowedTo(group, access)).toBe(false);
  expect(isAllowedTo(group, INVOCATION)).toBe(true);
});

test.each(EVENT_TYPES)('support may commit %s exactly if one of its commands has this event', (type) => {
  const own: readonly EventType[] = ['user_lock', 'user_unlock', 'token_delete', 'trust_delete'];
  const access = (attribute: string): IamRequest => ({
    action: 'dynamodb:UpdateItem',
    resource: arns.table(table.name),
    context: {
      'dynamodb:LeadingKeys': ['OUTBOX'],
      'dynamodb:Attributes': ['PK', 'SK', 'createdAt', attribute],
      'dynamodb:EnclosingOperation': ['TransactWriteItems'],
    },
  });
  expect(isAllowedTo('support', access(type))).toBe(own.includes(type));
  // The attribute of earlier versions, for every type.
  expect(isAllowedTo('support', access('detailType'))).toBe(false);
});
