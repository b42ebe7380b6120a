import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { APP_ID } from '#lib/environment';
import { NAMES } from '../../infra/local/machine/resource-names.ts';
import type { InstanceFile } from '../../infra/local/ready.ts';

/** A function of the template. */
export interface Deployed {
  readonly id: string;
  /** Its asset. */
  readonly folder: string;
  readonly handler: string;
  /** In MB. */
  readonly memory: number;
  /** In seconds. */
  readonly timeout: number;
  /** Its variables; references to resources name those of the local instance. */
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

interface Asset {
  readonly source: { readonly path: string };
  readonly destinations: Readonly<Record<string, { readonly objectKey: string }>>;
}

const read = <T>(...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8')) as T;

/** Addresses and credentials of the local instance of the suite. */
export const instance = read<InstanceFile>(inject('data'), 'instance.json');

/** The resources of the local instance, by type. */
const LOCAL: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::GlobalTable': instance.table,
  'AWS::Events::EventBus': NAMES.eventBus,
  'AWS::SecretsManager::Secret': NAMES.signingKey,
  'AWS::Logs::LogGroup': NAMES.auditLog,
  'AWS::ApiGatewayV2::Api': instance.url,
};

/** Reads every function of the template. @throws Error where the local instance lacks a resource */
export function readDeployed(): ReadonlyMap<string, Deployed> {
  const assembly = inject('assembly');
  const { Resources } = read<{ Resources: Record<string, Resource> }>(assembly, 'core-account.template.json');
  const { files } = read<{ files: Record<string, Asset> }>(assembly, 'core-account.assets.json');
  const folderOf = (key: string) => {
    const isKey = ({ destinations }: Asset) => Object.values(destinations)[0]?.objectKey === key;
    return join(assembly, Object.values(files).find(isKey)?.source.path as string);
  };
  const resolve = (value: unknown): string => {
    if (typeof value === 'string') return value;
    const [target] = Object.values(value as object) as [string | [string, string]];
    const name = LOCAL[Resources[[target].flat()[0] as string]?.Type ?? ''];
    if (name === undefined) throw new Error(`The local instance has nothing for ${JSON.stringify(value)}`);
    return name;
  };
  const functions = Object.values(Resources)
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ Properties: { Code, Handler, MemorySize, Timeout, Environment } }): Deployed => {
      const entries = Object.entries(Environment.Variables).map(([name, value]) => [name, resolve(value)]);
      const variables = Object.fromEntries(entries) as Record<string, string>;
      const common = { handler: Handler, memory: MemorySize, timeout: Timeout, variables };
      return { id: variables[APP_ID] as string, folder: folderOf(Code.S3Key), ...common };
    });
  return new Map(functions.map((one) => [one.id, one]));
}
