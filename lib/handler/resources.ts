import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { AuditLog } from '../audit/audit-log.ts';
import type { LogReader } from '../audit/log-reader.ts';
import type { Need } from '../contract/needs.ts';
import type { Publish } from '../outbox/publisher.ts';
import type { HashName } from '../pseudonym/name-hash.ts';
import type { Runtime } from '../runtime.ts';
import type { SigningKey } from '../session/session-token.ts';

/** Resources of a function other than the table, each with the needs of which one grants it. */
interface Resources {
  readonly publish: ['events:PutEvents', Publish];
  readonly signingKey: ['signing-key:read', () => Promise<SigningKey>];
  readonly resourceKey: ['resource-key:read', () => Promise<SigningKey>];
  readonly secrets: ['signing-key:rotate' | 'resource-key:rotate', SecretsManagerClient];
  readonly hashName: ['erasure-key:read', HashName];
  readonly auditLog: ['audit:write', AuditLog];
  readonly auditLines: ['audit:read', LogReader];
  readonly functionLog: ['function-log:read', LogReader];
}

interface WithNeeds {
  readonly needs: readonly Need[];
}

/** The resources that the needs of a function name. */
export type ResourcesOf<D extends WithNeeds> = {
  readonly [K in keyof Resources as [Extract<Resources[K][0], D['needs'][number]>] extends [never]
    ? never
    : K]: Resources[K][1];
};

/** An opener of each resource that the needs name. */
export type OpenersOf<D extends WithNeeds> = {
  readonly [K in keyof ResourcesOf<D>]: (runtime: Runtime) => ResourcesOf<D>[K];
};

/**
 * Openers of the resources, from imports in the function's own file: no other bundle contains the client. The compiler
 * requires an opener for each resource that the needs name, and permits no others.
 */
export type Openers<D extends WithNeeds> = keyof ResourcesOf<D> extends never ? [] : [openers: OpenersOf<D>];

/** Opens the resources of a function; called once per execution environment. */
export function open<D extends WithNeeds>(openers: Openers<D>, runtime: Runtime): ResourcesOf<D> {
  const [given = {}] = openers as [Record<string, (runtime: Runtime) => unknown>?];
  const opened = Object.entries(given).map(([name, opener]) => [name, opener(runtime)]);
  return Object.fromEntries(opened) as ResourcesOf<D>;
}
