import type { Deployed } from './request.ts';

/** A template of CloudFormation, as far as costs need it. */
export interface Template {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties?: Properties }>>;
}

type Properties = Readonly<Record<string, unknown>>;

export interface Resource {
  readonly id: string;
  readonly type: string;
  readonly properties: Properties;
}

/** The resources of a type. */
export const resourcesOf = ({ Resources }: Template, type: string): Resource[] =>
  Object.entries(Resources)
    .filter(([, { Type }]) => Type === type)
    .map(([id, { Properties = {} }]) => ({ id, type, properties: Properties }));

/** The resource that a value refers to, by its name or its ARN. */
export function referred(value: unknown): string | undefined {
  const { Ref, 'Fn::GetAtt': attribute } = (value ?? {}) as { Ref?: string; 'Fn::GetAtt'?: [string, string] };
  return Ref ?? attribute?.[0];
}

/** Values of the usual length, for what the gateway fills in. */
const FILLED_IN: Readonly<Record<string, string>> = {
  requestId: 'AbCdEfGhIjKlMnO=',
  requestTime: '21/Nov/2026:12:00:00 +0000',
  routeKey: 'GET /api/core/account/profile',
  'identity.sourceIp': '203.0.113.100',
  integrationErrorMessage: '-',
};

const appOf = ({ properties }: Resource) =>
  (properties['Environment'] as { Variables?: Record<string, string> } | undefined)?.Variables;

/** @param idVariable of the environment of a function, which holds its id */
export function deployedBy(template: Template, idVariable: string): Deployed {
  const functions = resourcesOf(template, 'AWS::Lambda::Function');
  const memory = new Map(
    functions.map((one) => [appOf(one)?.[idVariable], Number(one.properties['MemorySize'])]),
  );
  const [stage] = resourcesOf(template, 'AWS::ApiGatewayV2::Stage');
  const { Format = '' } = (stage?.properties['AccessLogSettings'] ?? {}) as { Format?: string };
  const line = Format.replaceAll(/\$context\.([\w.]+)/g, (_, name: string) => FILLED_IN[name] ?? '200');
  const days = resourcesOf(template, 'AWS::Logs::LogGroup').map(({ properties }) =>
    Number(properties['RetentionInDays']),
  );
  return {
    memoryOf(id) {
      const found = memory.get(id);
      if (!found) throw new Error(`The template has no function ${id}`);
      return found;
    },
    isArm: functions.every(({ properties }) => `${properties['Architectures']}` === 'arm64'),
    gatewayLogBytes: line.length + 1,
    logDays: Math.min(...days),
    auditDays: Math.max(...days),
  };
}
