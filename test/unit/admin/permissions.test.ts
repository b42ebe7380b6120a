import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { beforeAll, expect, test } from 'vitest';
import { COMMANDS, type Group, type Permission, permissionsTable } from '#infra/admin/needs';
import { newProgram } from '#infra/admin/program';
import { type Access, isAllowed } from '#infra/policy';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { lockAccount } from '#lib/account/lifecycle/lock';
import { createToken } from '#lib/token/create';
import { accessesOf, arnsIn } from '../../../infra/local/iam/access.ts';
import { loadPolicies } from '../../../infra/local/iam/confinement.ts';
import { NAMES } from '../../../infra/local/machine/resource-names.ts';
import { newName } from '../../names.ts';
import type { AccountOverrides } from '../support/engine.ts';
import { storedSession } from '../support/items.ts';
import { setAttributes } from '../support/set-attributes.ts';
import { openInstance } from './operator.ts';

const it = await openInstance({
  Events: 'user_create,user_lock,user_unlock,token_create,token_delete,token_rotate,password_change',
});
const { table, wire, secrets, bus } = it;
const REGION = 'eu-west-1';
const arns = arnsIn(REGION);
const policies = await loadPolicies(REGION, table.name, 'operators');
const isAllowedTo = (group: Group, access: Access) => isAllowed(policies.get(group) ?? [], access);

/** The actions of the last command that a group may not do. */
const deniedTo = (group: Group): string[] =>
  [
    ...wire.commands.map(({ operation, input }) => [`DynamoDB_20120810.${operation}`, input] as const),
    ...secrets
      .operations()
      .map((name) => [`secretsmanager.${name}`, { SecretId: NAMES.signingKey }] as const),
    ...bus.calls.map(() => ['AWSEvents.PutEvents', { Entries: [{ EventBusName: NAMES.eventBus }] }] as const),
  ]
    .flatMap(([target, input]) => accessesOf(target, input, arns))
    .filter((access) => !isAllowedTo(group, access))
    .map(({ action, context }) => `${action} ${context['dynamodb:LeadingKeys'] ?? ''}`);

test('the table of permissions lists every command as its page does', () => {
  const [head, rows] = permissionsTable();
  const page = readFileSync('infra/admin/permissions.md', 'utf8');
  const lines = [head, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  expect(page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))).toEqual(
    lines,
  );
  expect(rows).toHaveLength(Object.keys(COMMANDS).length);
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

/** Arguments of commands that have any. The names in capitals are those of {@link prepare}. */
const RUNS: Readonly<Record<string, readonly string[]>> = {
  'account show': ['ADA'],
  'account list': ['', '--cancelled-since 2000-01-01'],
  'account lock': ['ADA', 'EVE --until 24h'],
  'account unlock': ['EVE', 'LOU'],
  'account lockout': ['ADA off'],
  'account reset-stamp': ['ADA'],
  'account reset-stamps': ['--yes'],
  'account cancel': ['ADA --yes'],
  'account create': ['NEW --password-stdin --team ops'],
  'account password': ['ADA --password-stdin'],
  'account sessions': ['ADA'],
  'account sessions --end': ['SID ADA', 'all ADA'],
  'account code': ['ADA --hours 2'],
  'account add': ['ADA --role r --team ops'],
  'account remove': ['ADA --role sys_administrator --team ops'],
  'account reactivate': ['OLD --revoke-tokens'],
  'team create': ['dev --name Dev'],
  import: ['FILE'],
  'token list': ['ADA'],
  'token create': ['cd ADA'],
  'token delete': ['ci ADA'],
  'token rotate': ['ci ADA', 'ci ADA --overlap-minutes 60'],
  'token revoke': ['--all ADA --yes', '--created-by EVE --yes'],
  'keys revoke': ['unknown'],
};

/** Needs that only a change of the key that signs would use here, or an instance that publishes the ends of tokens. */
const UNUSED: Readonly<Record<string, readonly string[]>> = {
  'keys revoke': ['GetItem KEYS', 'Query KEYS'],
  'restore check --mend': ['UpdateItem KEYS'],
  'token create': ['PutItem EXPIRING'],
  'token rotate': ['PutItem EXPIRING'],
};

/** Commands that use services without a local counterpart. */
const onItemsOnly = Object.keys(COMMANDS).filter((command) => !['events replay', 'audit'].includes(command));

test('the table of permissions has every command that works on a stack', () => {
  const namesOf = (command: Command, path: string[] = []): string[] =>
    command.commands.length > 0
      ? command.commands.flatMap((one) => namesOf(one, [...path, one.name()]))
      : [path.join(' ')];
  const local = ['events sample', 'events send'];
  const all = [...namesOf(newProgram()), 'account sessions --end', 'restore check --mend'];
  expect([...Object.keys(COMMANDS), ...local].sort()).toEqual(all.sort());
});

const by = { by: 'root', requestId: 'r' };

/** Creates an account of an earlier version, which has created a token. */
async function createAccount(name: string, overrides: AccountOverrides = {}) {
  const account = await it.account({ username: newName(name), ...overrides });
  await createToken(it.runtime, account, 'ci', { ...by, by: account.username });
  return setAttributes(table, account, { names_apart: undefined } as object);
}
const createAdministrator = (name: string) => createAccount(name, { roles: ['sys_administrator'] });

const ACCOUNTS: Readonly<Record<string, () => Promise<{ username: string }>>> = {
  ADA: () => createAdministrator('ada'),
  EVE: () => createAccount('eve', { lockoutend: '2099-01-01T00:00:00.000Z' }),
  LOU: () => createAccount('lou').then((account) => lockAccount(it.runtime, account, by)),
  OLD: () => createAccount('old').then((account) => cancelAccount(it.runtime, account, by)),
};

/** A file with a new account, and one that is locked until a time. */
function fileOfAccounts() {
  const line = { username: newName('imp'), password: 'correct horse', user_properties: {}, isactive: false };
  const locked = { username: newName('end'), islocked: true, lockoutend: '2099-01-01T00:00:00Z' };
  return it.fileOf('accounts.jsonl', [line, locked]);
}

/**
 * Creates what arguments name, and returns the values of the names: ADA is an administrator and SID a session of hers, EVE
 * is locked out, LOU is locked, OLD is cancelled, NEW does not exist, and FILE is a file of accounts.
 */
async function prepare(args: string): Promise<Record<string, string>> {
  const names: Record<string, string> = { NEW: newName('new'), FILE: fileOfAccounts() };
  for (const [name, create] of Object.entries(ACCOUNTS))
    if (args.includes(name)) names[name] = (await create()).username;
  if (args.includes('SID'))
    names['SID'] = await storedSession(table, await it.stored({ username: `${names['ADA']}` }));
  return names;
}

// Commands that name no account find these, and an administrator remains.
beforeAll(async () => {
  await it.team('ops');
  await createAdministrator('root');
  for (const create of Object.values(ACCOUNTS)) await create();
});

test.each(onItemsOnly)('%s needs the permissions of the page, and its groups have them', async (command) => {
  const { group, needs } = COMMANDS[command] as Permission;
  const runs = RUNS[command] ?? [''];
  const names = await prepare(runs.join());
  wire.reset();
  for (const run of runs) {
    const args = `${command} ${run}`.replace(/\b[A-Z]{3,4}\b/g, (name) => names[name] as string);
    const { stderr } = await it.run(args.split(' ').filter(Boolean), 'correct horse');
    expect(stderr).not.toMatch(/^(error|unavailable|account_not_found|invalid_request)/m);
  }
  const used = onItems(wire.commands.flatMap((one) => one.needs));
  expect(used).toEqual(onItems(needs).filter((need) => !UNUSED[command]?.includes(need)));
  expect(deniedTo('administrator')).toEqual([]);
  expect(deniedTo('support').length === 0).toBe(group === 'support');
});

test.each([
  {
    secret: 'private key',
    action: 'secretsmanager:GetSecretValue',
    resource: arns.secret(NAMES.signingKey),
    keys: [],
  },
  {
    secret: 'hash of a password',
    action: 'dynamodb:GetItem',
    resource: arns.table(table.name),
    keys: ['PASSWORD#ada'],
  },
])('support may not read a $secret, and administrators may', ({ action, resource, keys }) => {
  const access = { action, resource, context: { 'dynamodb:LeadingKeys': keys } };
  expect(isAllowedTo('support', access)).toBe(false);
  expect(isAllowedTo('administrator', access)).toBe(true);
});
