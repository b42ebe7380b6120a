import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Need, Needs } from '../contract/needs.ts';
import type { Publish } from '../outbox/publisher.ts';
import type { Runtime } from '../runtime.ts';
import type { SigningKey } from '../session/session-token.ts';

/** Resources of a function other than the table, by the need that grants them. */
interface Resources {
  readonly 'events:PutEvents': { readonly publish: Publish };
  readonly 'signing-key:read': { readonly signingKey: () => Promise<SigningKey> };
  readonly 'signing-key:rotate': { readonly secrets: SecretsManagerClient };
  readonly 'audit:write': { readonly auditLog: AuditLog };
}

type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

interface WithNeeds {
  readonly needs: Needs;
}

type Flat<N> = N extends readonly (infer One)[] ? One : N;

type Named<D extends WithNeeds> = Extract<Flat<D['needs'][number]>, keyof Resources & Need>;

/** The resources that the needs of a function name. */
export type ResourcesOf<D extends WithNeeds> = [Named<D>] extends [never]
  ? object
  : Intersection<Resources[Named<D>]>;

/**
 * Openers of the resources, from imports in the function's own file: no other bundle contains the client. The compiler
 * requires an opener for each resource that the needs name, and permits no others.
 */
export type Openers<D extends WithNeeds> = [Named<D>] extends [never]
  ? []
  : [openers: { readonly [K in keyof ResourcesOf<D>]: (runtime: Runtime) => ResourcesOf<D>[K] }];

/** Opens the resources of a function; called once per execution environment. */
export const open = <D extends WithNeeds>(openers: Openers<D>, runtime: Runtime): object & ResourcesOf<D> =>
  Object.fromEntries(
    Object.entries((openers[0] ?? {}) as Record<string, (runtime: Runtime) => unknown>).map(
      ([name, opener]) => [name, opener(runtime)],
    ),
  ) as object & ResourcesOf<D>;
