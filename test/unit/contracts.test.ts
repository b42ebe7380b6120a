import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { MAX_CODE_HOURS, MAX_REASON } from '#lib/account/maxima';
import { readLine } from '#lib/audit/line';
import { VERIFIED } from '#lib/audit/streams';
import type { Contract, Job } from '#lib/contract/contract';
import { contracts, functions, needsOf, sourceOf } from '#lib/routes';
import { MAX_OVERLAP } from '#lib/token/maxima';
import recorded from '../../infra/openapi/examples.json' with { type: 'json' };
import { STALE } from '../stale.ts';
import { changes } from './support/changes.ts';
import { errorsOf, fieldsAtFault } from './support/errors-of.ts';

const named = (definitions: readonly (Contract | Job)[]) =>
  definitions.map((definition) => [definition.id, definition] as const);
const idsThat = (holds: (definition: Contract | Job) => boolean) =>
  functions
    .filter(holds)
    .map(({ id }) => id)
    .sort();
const parametersOf = (path: string) => [...path.matchAll(/\{(\w+)\??\}/g)].map(([, name]) => name);
const methodsOf = ({ method }: Contract) => (typeof method === 'string' ? [method] : method);

test('each function has a file, and each file a function', () => {
  expect(functions.map(sourceOf).sort()).toEqual(globSync('functions/**/*.ts').sort());
});

test('each endpoint has a contract file with the name of its verb, and each contract file an endpoint', () => {
  const files = globSync('lib/**/*.contract.ts').map((path) => basename(path, '.contract.ts'));
  expect(contracts.map(({ id }) => id.split('.')[1]).sort()).toEqual(files.sort());
});

describe.each(named(functions))('%s', (_id, definition) => {
  test('has an ID of a noun and a verb, and a unique summary of one line', () => {
    expect(definition.id).toMatch(/^[a-z]+\.[a-z]+(-[a-z]+)*$/);
    expect(definition.summary).toMatch(/^[A-Z].+[^.]$/);
    expect(functions.filter(({ summary }) => summary === definition.summary)).toHaveLength(1);
  });

  test('lists each need once', () => {
    expect(definition.needs).toEqual([...new Set(definition.needs)]);
  });
});

test.each<[string, string, unknown[]]>([
  ['account.code', 'hours', [0, MAX_CODE_HOURS + 1, 1.5, '24', null]],
  ['account.create', 'invite_hours', [0, MAX_CODE_HOURS + 1, 1.5, '24', null]],
  ['account.lock', 'reason', ['a\u202eb', 'x'.repeat(MAX_REASON + 1)]],
  ['account.lock', 'until', ['9999-12-31T23:59:59.001Z', '2099-01-01']],
  ['token.rotate', 'overlap_minutes', [-1, 0.5, MAX_OVERLAP + 1, '1']],
])('the body of %s refuses another %s', (id, field, values) => {
  const { body } = contracts.find((contract) => contract.id === id) as Contract;
  for (const value of values)
    expect(fieldsAtFault((body as NonNullable<typeof body>)(), { [field]: value })).toContain(field);
});

describe.each(named(contracts) as [string, Contract][])('the endpoint %s', (_id, contract) => {
  const { path, title, accounts = [], params, body, access } = contract;

  test('has an entry in the audit log if it changes something or exports a person, and only then', () => {
    expect(contract.audit !== undefined).toBe(changes(contract) || contract.id === 'account.export');
    expect(contract.audit?.changes).toBe(contract.audit && !changes(contract) ? false : undefined);
  });

  test('checks exactly the parameters of its path', () => {
    const shape = (params?.() as z.ZodMiniObject<Record<string, z.ZodMiniType>> | undefined)?.shape ?? {};
    expect(Object.keys(shape).sort()).toEqual(parametersOf(path).sort());
    for (const name of accounts) expect(parametersOf(path)).toContain(name);
    for (const [name, schema] of Object.entries(shape)) {
      expect(schema.safeParse(undefined).success, name).toBe(path.includes(`{${name}?}`));
      // Functions look up names of files themselves.
      expect(schema.safeParse('a\nb').success, name).toBe(access === 'public');
    }
  });

  test('has an envelope, except for the system, pages and OAuth', () => {
    expect(title === undefined).toBe(
      /^\/(\.well-known|api\/core\/(system|oauth|openapi\.json$|docs|admin))/.test(path),
    );
  });

  if (path.includes('/oauth/'))
    test('has an answer that no cache stores', () => {
      expect(contract.headers?.['cache-control']).toBe('no-store');
    });

  if (body && contract.bodyKind === undefined)
    test('accepts its body with POST only', () => {
      expect(methodsOf(contract)).toEqual(['POST']);
    });

  test('rejects unknown fields of the body and the query, unless it echoes them', () => {
    // RFC 6749 section 3.2 lets clients send parameters that the token endpoint does not know.
    // Links to pages get parameters from other programs.
    const isLoose = ['system.ping', 'oauth.token'].includes(contract.id) || contract.forPeople;
    const strict = isLoose ? [] : [body, contract.query];
    for (const schema of strict.flatMap((each) => each ?? [])) {
      const { error } = schema().safeParse({ unknown_field: '1' });
      expect(error?.issues.map(({ code }) => code)).toContain('unrecognized_keys');
    }
  });

  const { stepUp } = contract;
  if (stepUp)
    test('has a step-up that its requests can meet, of a caller whose account is read each time', () => {
      expect(['authenticated', 'object']).toContain(typeof access === 'object' ? 'object' : access);
      expect(contract.accountCacheMs).toBeUndefined();
      const { about, with: given = [] } = stepUp === 'always' ? {} : stepUp;
      if (about) expect(parametersOf(path)).toContain('username');
      const { body: shape } = contract as { body: () => z.ZodMiniType };
      for (const field of given.map((one) => (typeof one === 'string' ? one : one.list)))
        expect(errorsOf(shape(), valueAt(field))).toContainEqual({
          field,
          message: expect.not.stringContaining('Unknown'),
        });
    });

  if (contract.ownBy)
    test('limits the credentials of requests about oneself, of a caller whose account is read each time', () => {
      expect(['public', 'optional', 'authenticated-or-code']).not.toContain(access);
      if (typeof access === 'object') expect(access.orSelf).toBe('path');
      expect(contract.accountCacheMs).toBeUndefined();
    });

  const orSelf = typeof access === 'object' && access.orSelf;
  if (orSelf)
    test('has a username where callers may name themselves', () => {
      const inBody = body ? Object.keys((body() as z.ZodMiniObject).shape) : [];
      expect(orSelf === 'path' ? parametersOf(path) : inBody).toContain('username');
    });

  test('has a response that OpenAPI can describe', () => {
    expect(z.toJSONSchema(contract.response(), { io: 'output' })).toBeTypeOf('object');
  });

  const isWrite = (need: string) =>
    /^table:(Put|Update|Delete)Item:(?!CURSORS|CHALLENGES|EXPORTS)/.test(need);
  const writes = contract.needs.some(isWrite);
  if (writes && methodsOf(contract).includes('GET'))
    test('is marked as unsafe, since its GET writes', () => {
      expect(contract.unsafe).toBe(true);
    });
});

/** A body with a value that no field accepts at a dotted path. */
const valueAt = (path: string): object =>
  path.split('.').reduceRight<unknown>((value, name) => ({ [name]: value }), Number.NaN) as object;

/** Changes of an answer at any depth: one field is missing or of a type that JSON lacks, or an object has one more. */
function* changesOf(value: unknown, path = ''): Generator<[path: string, changed: unknown]> {
  if (typeof value !== 'object' || value === null) return;
  const isList = Array.isArray(value);
  if (!isList) yield [`${path}.more`, { ...value, more: 1 }];
  for (const [name, part] of Object.entries(value)) {
    const at = isList ? path : `${path}.${name}`;
    if (!isList) for (const other of [undefined, 1n]) yield [at, { ...value, [name]: other }];
    for (const [place, changed] of changesOf(part, at))
      yield [place, isList ? value.with(Number(name), changed) : { ...value, [name]: changed }];
  }
}

/** Parts of answers that are optional or free-form, by their paths. */
const LOOSE: Readonly<Record<string, RegExp>> = {
  'account.browse': /^\.next_cursor$/,
  'account.export':
    /^\.(profile\.user\.user_properties\.(root\.)?more$|audit\.details|attempts\.details|\w+_truncated$|audit_next$|userid$)|^\.(profile|tokens|sessions|passkeys|code|attempts)$|\.(count|first_at|last_at|sources)$/,
  'account.profile':
    /^\.(instance|teams|roles|apps)$|^\.user\.(code_\w+|login_block|user_properties\.(root\.)?more)$/,
  'account.profile-update': /^\.user\.user_properties\.(root\.)?more$/,
  'audit.browse': /^\.items\.(details|count$|first_at$|last_at$|sources$)/,
  'account.passkeys': /^\.(rp_id|user_handle|items\.credential_id)$/,
  'account.passkey-options': /^\.options/,
  'oauth.introspect': /^\.(scope|amr|auth_time)$/,
  'trust.browse': /^\.(next_cursor$|items\.(claims|roles|addresses|access)|issuers)/,
  'trust.create': /^\.(claims|roles|addresses|access)/,
  'oauth.token': /^\.(scope|issued_token_type)$/,
  'system.info': /^\.kv\.v\.setup\.\w+$/,
  'system.ping': /^\.body/,
  'team.browse': /^\.next_cursor$/,
  'token.browse': /^\.next_cursor$/,
};

test.each(Object.entries(recorded.answers))(
  'the answer of %s has exactly the fields of its schema, of their types',
  (operation, types) => {
    // Operations of some contracts have a suffix.
    const isOf = ({ id }: Contract) => `${operation}.`.startsWith(`${id}.`);
    const contract = (contracts as readonly Contract[]).find(isOf);
    expect(contract, STALE.record).toBeDefined();
    const { id, title, response } = contract as Contract;
    const accepts = (value: unknown) => response().safeParse(value).success;
    for (const answer of Object.values<unknown>(types)) {
      const example = title === undefined ? answer : (answer as { data: unknown }).data;
      expect(accepts(example), STALE.record).toBe(true);
      const accepted = [...changesOf(example)].flatMap(([path, changed]) => (accepts(changed) ? path : []));
      expect(accepted.filter((path) => !LOOSE[id]?.test(path))).toEqual([]);
    }
  },
);

test.each(contracts.filter(({ audit }) => audit?.details))(
  'the audit log takes the details of $id that its answer has',
  ({ id, audit }: Contract) => {
    const answers: Readonly<Record<string, unknown>> = recorded.answers[id as keyof typeof recorded.answers];
    // The answers of OAuth have no envelope, and nothing that is logged.
    const { data = {} } = answers['application/json'] as { data?: Readonly<Record<string, unknown>> };
    const details = Object.fromEntries((audit?.details ?? []).map((name) => [name, data[name] ?? null]));
    const line = { time: '2026-11-20T11:00:00.000Z', action: id, outcome: 'ok', details };
    expect(readLine(VERIFIED, JSON.stringify(line))?.entry.details).toEqual(details);
  },
);

const isPublic = (definition: Contract | Job) => 'access' in definition && definition.access === 'public';
const isForTokens = (definition: Contract | Job) =>
  'access' in definition && typeof definition.access === 'object' && definition.access.role === 'sys_tokens';
const needing = (pattern: RegExp) => (definition: Contract | Job) =>
  [...needsOf(definition)].some((need) => pattern.test(need));

// test/infra/powers.test.ts pins the other powers, such as changing roles.
test.each<[string, (definition: Contract | Job) => boolean, string]>([
  [
    'are public',
    isPublic,
    'account.login account.passkey-assert admin.page docs.openapi docs.page docs.script oauth.jwks oauth.metadata oauth.resource oauth.token system.jwks',
  ],
  ['are for holders of sys_tokens', isForTokens, 'token.create-login-token token.create-own'],
  [
    'write one-time codes',
    needing(/(Put|Update|Delete)Item:CODE$/),
    'account.code account.complete-erasures account.create account.erase',
  ],
  ['read one-time codes', needing(/GetItem:CODE$/), 'account.export account.password account.profile'],
  ['rotate the signing key', needing(/^signing-key:rotate/), 'keys.rotate-signing-key'],
  [
    'rotate the key of tokens for other services',
    needing(/^resource-key:rotate/),
    'keys.rotate-resource-key',
  ],
  ['sign tokens for other services', needing(/^resource-key:/), 'keys.rotate-resource-key oauth.token'],
])('only these functions %s', (_what, holds, ids) => {
  expect(idsThat(holds)).toEqual(ids.split(' '));
});

test.each(contracts.filter(({ id }) => /^system\.(info|preview|uuids?|ping)$/.test(id)))(
  '$id needs only authentication',
  ({ needs }) => {
    expect(needs).toEqual([]);
  },
);
