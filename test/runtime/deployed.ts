import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { APP_ID } from '#lib/instance/environment';
import { NAMES } from '../../infra/local/machine/resource-names.ts';
import type { InstanceFile } from '../../infra/local/ready.ts';

interface Properties {
  readonly Code: { readonly S3Key: string };
  readonly Handler: string;
  /** Memory in MB. */
  readonly MemorySize: number;
  /** Timeout in seconds. */
  readonly Timeout: number;
  readonly Environment: { readonly Variables: Readonly<Record<string, unknown>> };
}

/** A function of the template. */
export interface Deployed extends Properties {
  readonly id: string;
  /** Its asset. */
  readonly folder: string;
  /** Its variables; references to resources name those of the local instance. */
  readonly variables: Readonly<Record<string, string>>;
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
  ResourceKey: NAMES.resourceKey,
  ErasureKey: NAMES.erasureKey,
  'AWS::Logs::LogGroup': NAMES.auditLog,
  'AWS::ApiGatewayV2::Api': instance.url,
};

/** Reads every function of the template. @throws Error where the local instance lacks a resource */
export function readDeployed(): ReadonlyMap<string, Deployed> {
  const assembly = inject('assembly');
  const { Resources } = read<{ Resources: Record<string, { Type: string; Properties: Properties }> }>(
    assembly,
    'core-account.template.json',
  );
  const { files } = read<{ files: Record<string, Asset> }>(assembly, 'core-account.assets.json');
  const isFor = (key: string, { destinations }: Asset) => Object.values(destinations)[0]?.objectKey === key;
  const resolve = (value: unknown): string => {
    if (typeof value === 'string') return value;
    const [target] = Object.values(value as object) as [string | [string, string]];
    const [id = ''] = [target].flat();
    // All secrets but the first have a name of their own.
    const [, secret] = /^Data(ErasureKey|ResourceKey)Secret/.exec(id) ?? [];
    const name = LOCAL[secret ?? Resources[id]?.Type ?? ''];
    if (name === undefined) throw new Error(`The local instance has nothing for ${JSON.stringify(value)}`);
    return name;
  };
  const deployed = Object.values(Resources)
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ Properties }): Deployed => {
      const entries = Object.entries(Properties.Environment.Variables);
      const variables = Object.fromEntries(entries.map(([name, value]) => [name, resolve(value)]));
      const asset = Object.values(files).find((file) => isFor(Properties.Code.S3Key, file)) as Asset;
      return {
        ...Properties,
        id: variables[APP_ID] as string,
        folder: join(assembly, asset.source.path),
        variables,
      };
    });
  return new Map(deployed.map((one) => [one.id, one]));
}
