import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { readContext } from '#infra/aws/context';
import { CoreAccountStack } from '#infra/aws/stack';
import { SETTING_NAMES, type SettingName } from '#lib/instance/settings';
import { contracts } from '#lib/routes';
import cdk from '../../cdk.json' with { type: 'json' };

export interface Resource {
  readonly id: string;
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DependsOn?: readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

/** The template of a stack: its resources and its outputs. */
export interface Synthesized {
  readonly all: readonly Resource[];
  readonly of: (type: string) => readonly Resource[];
  /** @throws Error unless there is exactly one */
  readonly one: (type: string) => Resource;
  readonly outputs: Readonly<Record<string, { readonly Value: unknown }>>;
  readonly text: string;
}

const known = new Map<string, Synthesized>();

/** The template for a context, synthesized once. */
export function synthesize(context: Readonly<Record<string, unknown>> = {}): Synthesized {
  const key = JSON.stringify(context);
  const template = known.get(key) ?? synthesizeAnew(context);
  known.set(key, template);
  return template;
}

/**
 * Synthesizes the stack as the CDK CLI does, with a placeholder for the code of its functions.
 *
 * @param settingsOf returns the settings that a function reads, by its ID: all by default, as no bundle is read
 */
export function synthesizeAnew(
  context: Readonly<Record<string, unknown>>,
  endpoints = contracts,
  settingsOf?: (id: string) => readonly SettingName[],
): Synthesized {
  const template = inApp(context, (stack) => Template.fromStack(stack).toJSON(), endpoints, settingsOf);
  const all = Object.entries(template['Resources'] as Record<string, Omit<Resource, 'id'>>).map(
    ([id, resource]) => ({ ...resource, id }),
  );
  const of = (type: string) => all.filter(({ Type }) => Type === type);
  const one = (type: string) => {
    // All secrets but the first have a name of their own.
    const [first, ...others] = all.filter((it) => (ownNameOf(it) ?? it.Type) === type);
    if (!first || others.length > 0) throw new Error(`${others.length + (first ? 1 : 0)} of ${type}`);
    return first;
  };
  return { all, of, one, outputs: template['Outputs'], text: JSON.stringify(template) };
}

/** Stand for the types of other secrets than the signing key, and for that of the schedule of one. */
export const ERASURE_KEY = 'ErasureKey';
export const RESOURCE_KEY = 'ResourceKey';
export const RESOURCE_ROTATION = 'ResourceKeyRotation';
const ownNameOf = ({ id }: Resource) => {
  if (id.startsWith('DataErasureKeySecret')) return ERASURE_KEY;
  if (id.startsWith('DataResourceKeySecret')) return RESOURCE_KEY;
  return id.startsWith('DataResourceKeyRotation') ? RESOURCE_ROTATION : undefined;
};

/** Runs work on the stack of an app whose output folder is removed afterwards. */
export function inApp<T>(
  context: Readonly<Record<string, unknown>>,
  work: (stack: CoreAccountStack, app: App) => T,
  endpoints = contracts,
  settingsOf: (id: string) => readonly SettingName[] = () => SETTING_NAMES,
): T {
  const outdir = mkdtempSync(join(tmpdir(), 'synth-'));
  try {
    const app = new App({
      outdir,
      context: { ...cdk.context, ...context },
      analyticsReporting: false,
      // Takes the most time of a synth; test/infra/cfn-lint.slow.test.ts checks the template instead.
      builtinCloudFormationValidation: false,
    });
    const bundleOf = (id: string) => ({ code: Code.fromInline('0'), settings: settingsOf(id) });
    return work(new CoreAccountStack(app, readContext(app.node), bundleOf, endpoints), app);
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** The stage `prod`, which requires a recipient of alarms. */
export const PROD = { stage: 'prod', alarmEmail: 'ops@example.com' };

/** A context with every option, for a template with every resource. */
export const EVERY_OPTION = {
  ...PROD,
  domainName: 'id.example.com',
  certificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/0a1b2c3d-1111-2222-3333-444455556666',
  kmsKeyArn: 'arn:aws:kms:eu-central-1:111122223333:key/0a1b2c3d-1111-2222-3333-444455556666',
  backupDays: 400,
  backupCopyVaultArn: 'arn:aws:backup:eu-west-1:444455556666:backup-vault:copies',
  subscriberAccounts: ['444455556666', '777788889999'],
  subscriberOrganization: 'o-a1b2c3d4e5',
  tags: { department: 'identity' },
} as const;

/** Options and settings that are not in the others, for a stack of another name: the longest one. */
export const OTHER_OPTIONS = {
  stackName: 'x'.repeat(38),
  tableName: 'kept-table',
  kmsKeyArn: EVERY_OPTION.kmsKeyArn.replace('/0a', '/0b'),
  backupDays: 1,
  alarmTopicArn: 'arn:aws:sns:eu-central-1:111122223333:on-call',
  repositoryUrl: 'https://git.example.com/main',
  'Settings:JwtExpireHours': '0.5',
  'Settings:AuditDays': 30,
  'Settings:AllowQueryToken': false,
  'Settings:CorsAllowedOrigins': ['https://app.example.com', 'http://localhost:5173'],
  'Settings:OwnerName': 'Ex, Ample',
  'Settings:ApiUrl': 'https://id.example.com',
} as const;

/** A value of a template as one text: `${LogicalId}` is a reference, `${LogicalId.Arn}` an attribute. */
export function render(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const [[name, argument] = []] = Object.entries(value);
  if (name === 'Ref') return `\${${argument}}`;
  if (name === 'Fn::GetAtt') return `\${${(argument as string[]).join('.')}}`;
  if (name === 'Fn::Join') {
    const [separator, parts] = argument as [string, unknown[]];
    return parts.map(render).join(separator);
  }
  throw new Error(`${name} is not rendered`);
}

/** The function of a definition. */
export function functionOf({ of }: Synthesized, id: string): Resource {
  const prefix = `${id.replace(/\W/g, '')}Function`;
  const found = of('AWS::Lambda::Function').filter((resource) => resource.id.startsWith(prefix));
  if (found.length !== 1) throw new Error(`${found.length} functions for ${id}`);
  return found[0] as Resource;
}

/** The queue of failed jobs, or of events that the bus could not process. */
export function queueOf({ of }: Synthesized, kind: 'failed jobs' | 'failed events'): Resource {
  const prefix = kind === 'failed jobs' ? 'EventsFailures' : 'EventsFailedEvents';
  return of('AWS::SQS::Queue').find(({ id }) => id.startsWith(prefix)) as Resource;
}

/** The log group of the function of a definition, as a reference. */
export const logGroupOf = (of: Synthesized, id: string): string =>
  render((functionOf(of, id).Properties['LoggingConfig'] as { LogGroup: unknown }).LogGroup);

/** Every permission to invoke a function, as `<service> for <source>`. */
export const invokersOf = ({ of }: Synthesized, fn: Resource): string[] =>
  of('AWS::Lambda::Permission')
    .filter(({ Properties }) => render(Properties['FunctionName']) === `\${${fn.id}.Arn}`)
    .map(({ Properties }) => `${Properties['Principal']} for ${render(Properties['SourceArn'])}`);
