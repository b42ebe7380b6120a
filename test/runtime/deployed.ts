import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { APP_ID } from '#lib/environment';
import { NAMES } from '../../infra/local/machine/resource-names.ts';
import type { InstanceFile } from '../../infra/local/ready.ts';

/** A function as the template has it deployed. */
export interface Deployed {
  readonly id: string;
  /** Its asset. */
  readonly folder: string;
  readonly handler: string;
  /** In MB. */
  readonly memory: number;
  /** In seconds. */
  readonly timeout: number;
  /** Its variables; what refers to a resource leads to that of the local instance. */
  readonly variables: Readonly<Record<string, string>>;
}

interface Resource {
  readonly Type: string;
  readonly Properties: {
    readonly Code: { readonly S3Key: string };
    readonly Handler: string;
    readonly MemorySize: number;
    readonly Timeout: number;
    readonly Environment: { readonly Variables: Readonly<Record<string, unknown>> };
  };
}

interface Manifest {
  readonly files: Readonly<
    Record<
      string,
      {
        readonly source: { readonly path: string };
        readonly destinations: Readonly<Record<string, { readonly objectKey: string }>>;
      }
    >
  >;
}

const read = <T>(...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8')) as T;

/** What the local instance of the suite has written of itself: where it is, and its credentials. */
export const instance = read<InstanceFile>(inject('data'), 'instance.json');

/** The resources of the local instance, by the types of those that they stand for. */
const LOCAL: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::GlobalTable': instance.table,
  'AWS::Events::EventBus': NAMES.eventBus,
  'AWS::SecretsManager::Secret': NAMES.signingKey,
  'AWS::Logs::LogGroup': NAMES.auditLog,
  'AWS::ApiGatewayV2::Api': instance.url,
};

/**
 * Every function of the template, by its id.
 *
 * @throws Error where a variable refers to what the local instance does not have
 */
export function readDeployed(): ReadonlyMap<string, Deployed> {
  const assembly = inject('assembly');
  const { Resources } = read<{ Resources: Record<string, Resource> }>(assembly, 'core-account.template.json');
  const { files } = read<Manifest>(assembly, 'core-account.assets.json');
  const folders = new Map(
    Object.values(files).flatMap(({ source, destinations }) =>
      Object.values(destinations).map(({ objectKey }) => [objectKey, join(assembly, source.path)] as const),
    ),
  );
  const resolve = (value: unknown): string => {
    if (typeof value === 'string') return value;
    const [target] = Object.values(value as object) as [string | [string, string]];
    const type = Resources[typeof target === 'string' ? target : target[0]]?.Type ?? '';
    const name = LOCAL[type];
    if (name === undefined) throw new Error(`The local instance has nothing for ${JSON.stringify(value)}`);
    return name;
  };
  const functions = Object.values(Resources)
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ Properties: { Code, Handler, MemorySize, Timeout, Environment } }): Deployed => {
      const entries = Object.entries(Environment.Variables).map(([name, value]) => [name, resolve(value)]);
      const variables = Object.fromEntries(entries) as Record<string, string>;
      const folder = folders.get(Code.S3Key);
      const id = variables[APP_ID];
      if (!folder || !id) throw new Error(`${Code.S3Key} is no asset, or ${APP_ID} is not set`);
      return { id, folder, handler: Handler, memory: MemorySize, timeout: Timeout, variables };
    });
  return new Map(functions.map((one) => [one.id, one]));
}
