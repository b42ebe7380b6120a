import { existsSync, globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Contract, Job } from '#lib/contract/contract';
import { contracts, functions, needsOf, sourceOf } from '#lib/routes';

const named = (definitions: readonly (Contract | Job)[]) =>
  definitions.map((definition) => [definition.id, definition] as const);
const idsThat = (holds: (definition: Contract | Job) => boolean) =>
  functions
    .filter(holds)
    .map(({ id }) => id)
    .sort();
const parametersOf = (path: string) => [...path.matchAll(/\{(\w+)\??\}/g)].map(([, name]) => name);
const methodsOf = ({ method }: Contract) => (typeof method === 'string' ? [method] : method);

test('every function file has a definition, and every definition a file', () => {
  expect(functions.map(sourceOf).sort()).toEqual(globSync('functions/**/*.ts').sort());
});

describe.each(named(functions))('%s', (_id, definition) => {
  test('is named <noun>.<verb> in lower case', () => {
    expect(definition.id).toMatch(/^[a-z]+\.[a-z]+(-[a-z]+)*$/);
    expect(existsSync(sourceOf(definition))).toBe(true);
  });

  test('has a summary of one line that no other has', () => {
    expect(definition.summary).toMatch(/^[A-Z].{10,100}[^.]$/);
    expect(functions.filter(({ summary }) => summary === definition.summary)).toHaveLength(1);
  });

  test('names each need once', () => {
    expect(new Set(definition.needs).size).toBe(definition.needs.length);
  });
});

describe.each(named(contracts) as [string, Contract][])('the endpoint %s', (_id, contract) => {
  const { path, title, accounts = [], params, body, access } = contract;

  test('checks exactly the parameters of its path', () => {
    const shape = params ? Object.keys((params() as z.ZodMiniObject).shape) : [];
    expect(shape.sort()).toEqual(parametersOf(path).sort());
    for (const name of accounts) expect(parametersOf(path)).toContain(name);
  });

  test('has an envelope unless it is of the system, or the documentation', () => {
    expect(title === undefined).toBe(/^\/api\/core\/(system|openapi\.json$|docs)/.test(path));
  });

  test('takes a body only where its method has one', () => {
    if (body && contract.bodyKind === undefined) expect(methodsOf(contract)).toEqual(['POST']);
  });

  test('refuses unknown properties of a body', () => {
    if (!body || contract.bodyKind !== undefined) return;
    const result = body().safeParse({ unknown_property: 1 });
    expect(result.error?.issues.some(({ code }) => code === 'unrecognized_keys')).toBe(true);
  });

  test('refuses unknown parameters of a query, but for the one that echoes them', () => {
    if (!contract.query) return;
    const issues = contract.query().safeParse({ unknown_parameter: '1' }).error?.issues ?? [];
    expect(issues.some(({ code }) => code === 'unrecognized_keys')).toBe(contract.id !== 'system.ping');
  });

  test('finds the username where its role gives way to oneself', () => {
    if (typeof access !== 'object' || access.orSelf === undefined) return;
    const inBody = body ? Object.keys((body() as z.ZodMiniObject).shape) : [];
    expect(access.orSelf === 'path' ? parametersOf(path) : inBody).toContain('username');
  });

  test('has a response that OpenAPI can describe', () => {
    expect(z.toJSONSchema(contract.response(), { io: 'output' })).toBeTypeOf('object');
  });

  test('writes only what is no GET, but for one that says so', () => {
    const writes = contract.needs.flat().some((need) => /^table:(Put|Update|Delete)Item:/.test(need));
    if (writes && methodsOf(contract).includes('GET')) expect(contract.unsafe).toBe(true);
  });
});

describe('of all functions', () => {
  test('only login, the public keys and the documentation are for everyone', () => {
    const open = idsThat((definition) => 'access' in definition && definition.access === 'public');
    expect(open).toEqual(['account.login', 'docs.openapi', 'docs.page', 'docs.script', 'system.jwks']);
  });

  test('only login and the rotation reach the signing key', () => {
    expect(idsThat(({ needs }) => needs.includes('signing-key:read'))).toEqual(['account.login']);
    expect(idsThat(({ needs }) => needs.includes('signing-key:rotate'))).toEqual(['keys.rotate-signing-key']);
  });

  test('only the listings read an index', () => {
    const indexed = idsThat((definition) =>
      [...needsOf(definition)].some((need) => need.startsWith('index:')),
    );
    expect(indexed).toEqual(['account.browse', 'token.browse', 'token.list-own', 'token.list-user']);
  });

  test('only the relay publishes events, and what changes the state of accounts or makes and deletes tokens', () => {
    expect(idsThat(({ needs }) => needs.includes('events:PutEvents'))).toEqual([
      'account.cancel',
      'account.lock',
      'account.reactivate',
      'account.unlock',
      'events.relay-outbox',
      'token.create',
      'token.create-login-token',
      'token.delete',
    ]);
  });

  test('only one is for holders of sys_tokens', () => {
    const tokens = idsThat(
      (definition) =>
        'access' in definition &&
        typeof definition.access === 'object' &&
        definition.access.role === 'sys_tokens',
    );
    expect(tokens).toEqual(['token.create-login-token']);
  });

  test('the utilities need nothing beyond authentication', () => {
    for (const definition of contracts)
      if (/^system\.(info|preview|uuids?|ping)$/.test(definition.id)) expect(definition.needs).toEqual([]);
  });
});
