import type { Command } from 'commander';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { newProgram } from '#infra/admin/program';
import { newFields } from '#lib/account/new-fields';
import type { Contract } from '#lib/contract/contract';
import { contracts } from '#lib/routes';
import { surrounded } from './support/unseen.ts';

/** Fields of requests in which a person types a username, a code or a search. */
const TYPED = [
  ...['username', 'source_username', 'target_username', 'created_by', 'actor', 'target', 'owner'],
  ...['code', 'q'],
];

/** All other texts of requests. */
const OTHERS = [
  ...[
    'password',
    'current_password',
    'new_password',
    'token',
    'token_type_hint',
    'if-match',
    'if-none-match',
  ],
  ...[
    'idempotency-key',
    'cursor',
    'batch',
    'limit',
    'n',
    'setup',
    'pscope',
    'purpose',
    'state',
    'names',
    'never_used',
    'counter_fell',
  ],
  ...[
    'since',
    'until',
    'inactive_since',
    'cancelled_since',
    'unused_since',
    'expires_at',
    'action',
    'outcome',
  ],
  ...[
    'token_name',
    'passkey_name',
    'session_id',
    'short',
    'script',
    'file',
    'app_name',
    'to',
    'type',
    'name',
  ],
  ...['role', 'team', 'app', 'apps', 'roles', 'teams', 'team_id', 'access', 'addresses', 'description'],
  ...['reason', 'phonenumber', 'user_first_name', 'user_last_name', 'user_color', 'user_short'],
  ...['user_currency', 'painput', 'patype', 'id', 'rawId', 'clientDataJSON', 'attestationObject'],
  ...['transports', 'authenticatorData', 'signature'],
  ...['trust_name', 'issuer', 'subject'],
  ...['kind', 'owner_gone', 'language'],
  // Of OAuth: the machine in `client_id` and `audience` is trimmed where it is read.
  ...['grant_type', 'client_id', 'client_secret', 'scope', 'resource', 'audience', 'assertion'],
  ...['subject_token', 'subject_token_type', 'requested_token_type', 'actor_token'],
];

type Json = Readonly<Record<string, unknown>>;

/** The names of the texts in a schema; those of an item of a list are that of the list. */
function textsIn(schema: Json, name = ''): string[] {
  const { type, properties = {}, items, anyOf = [], allOf = [] } = schema as Record<string, never>;
  const own = type === 'string' ? [name] : [];
  const parts = Object.entries(properties as Record<string, Json>);
  const others = [...(anyOf as Json[]), ...(allOf as Json[]), ...(items ? [items as Json] : [])];
  return [
    ...own,
    ...parts.flatMap(([part, each]) => textsIn(each, part)),
    ...others.flatMap((each) => textsIn(each, name)),
  ];
}

/** The schemas of what a request may contain. */
const schemasOf = ({ params, query, requestHeaders, body }: Contract) =>
  [params, query, requestHeaders, body].flatMap((schema) => schema?.() ?? []);

const textsOf = (schema: z.ZodMiniType) =>
  textsIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json);

const all = contracts.flatMap((contract) =>
  schemasOf(contract).flatMap((schema) => textsOf(schema).map((name) => ({ contract, schema, name }))),
);

test('every text of a request is one in which people type names, or is known to be another', () => {
  const known = [...TYPED, ...OTHERS];
  expect(
    all.filter(({ name }) => !known.includes(name)).map(({ contract, name }) => `${contract.id} ${name}`),
  ).toEqual([]);
  expect(known.filter((name) => !all.some((each) => each.name === name))).toEqual([]);
});

test.each(
  all.filter(({ name }) => TYPED.includes(name)).map((each) => [each.contract.id, each.name, each] as const),
)('%s reads %s without what surrounds it unseen', (_id, name, { schema }) => {
  const field = (schema as z.ZodMiniObject<Record<string, z.ZodMiniType>>).shape[name];
  expect(field?.parse(surrounded('ada'))).toBe('ada');
});

test('the accounts on the path of a contract are all of its usernames', () => {
  for (const { id, path, accounts = [] } of contracts)
    expect([id, [...path.matchAll(/\{(\w*username)\??\}/g)].map(([, name]) => name)]).toEqual([id, accounts]);
});

test('a new account, also of an import, has its name without what surrounds it unseen', () => {
  expect(newFields().parse({ username: surrounded('ada') })).toMatchObject({ username: 'ada' });
});

/** Arguments and options of commands with a name or a search. */
const TYPED_IN_COMMANDS = ['username', '--q', '--created-by', '--actor', '--target', '--owner'];

/** All others with a text. */
const OTHERS_IN_COMMANDS = [
  ...[
    'address',
    'file',
    'kid',
    'name',
    'passkey',
    'short',
    'switch',
    'trust',
    'type',
    '--action',
    '--address',
    '--app',
  ],
  ...['--before', '--cancelled-since', '--color', '--created-since', '--currency', '--data'],
  ...['--description', '--end', '--except', '--expires-in-days', '--first-name', '--format', '--from'],
  '--audit-seconds',
  ...['--hours', '--id', '--inactive-since', '--last-name', '--name', '--outcome', '--overlap-minutes'],
  ...['--phone', '--reason', '--region', '--rejects', '--report', '--role', '--rule', '--separator'],
  ...['--short', '--since', '--source', '--stack', '--state', '--table', '--team', '--to', '--type'],
  ...['--until', '--issuer', '--subject', '--claim', '--minutes', '--kind'],
];

const below = (command: Command): Command[] => [command, ...command.commands.flatMap(below)];
const inCommands = below(newProgram()).flatMap((command) => [
  ...command.registeredArguments.map((it) => ({ name: it.name(), parse: it.parseArg })),
  ...command.options
    .filter(({ required, optional }) => required || optional)
    .map((it) => ({ name: it.long as string, parse: it.parseArg })),
]);

test('every argument and option with a text is one in which people type names, or is known to be another', () => {
  const known = [...TYPED_IN_COMMANDS, ...OTHERS_IN_COMMANDS];
  const found = [...new Set(inCommands.map(({ name }) => name))];
  expect(found.sort()).toEqual(known.sort());
});

test('commands read names and searches without what surrounds them unseen', () => {
  const typed = inCommands.filter(({ name }) => TYPED_IN_COMMANDS.includes(name));
  for (const { name, parse } of typed)
    expect([name, parse?.(surrounded('ada'), undefined as never)]).toEqual([name, 'ada']);
});
