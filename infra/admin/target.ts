import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import type { Actor } from '#lib/event/account-event';
import type { Announcing } from '#lib/outbox/announcement';
import { publisherTo } from '#lib/outbox/publisher';
import { runtimeOn } from '#lib/runtime';
import { settingsFromEnvironment, settingVariable } from '#lib/settings';
import { openTable } from '#lib/table/table';
import { lastStarted } from '../local/last-started.ts';
import { AUDIT_FILE, NAMES } from '../local/machine/resource-names.ts';
import type { InstanceFile } from '../local/ready.ts';
import { adoptEnvironment, credentialsFor, sdkEnvironment } from '../local/sdk-environment.ts';
import { type AuditTrail, operator, trailInFile, trailInLogGroup } from './audit-trail.ts';

/** The instance that a command works on. */
export interface Target {
  readonly runtime: Announcing;
  /** Who works on it. */
  readonly actor: Actor;
  readonly eventBus: string;
  readonly signingKey: string;
  /** None where the stack was deployed before it had one. */
  readonly audit: AuditTrail | undefined;
}

/** Where to find it: a deployed stack, else the local instance of a data directory. */
export interface TargetOptions {
  readonly data?: string;
  readonly stack?: string;
  readonly region?: string;
  /** Another table than that of the instance. */
  readonly table?: string;
}

/** Finds the instance and opens its table. */
export const openTarget = (options: TargetOptions): Promise<Target> =>
  options.stack === undefined
    ? openLocal(options.data, options.table)
    : openStack(options.stack, options.region, options.table);

const DEFAULT_DATA = '.local';

/**
 * @param named its data directory; unless told that of the instance which `npm start` started last
 * @throws Error when no local instance is running there
 */
async function openLocal(named: string | undefined, other: string | undefined): Promise<Target> {
  const directories = named === undefined ? [lastStarted(), DEFAULT_DATA] : [named];
  const texts = directories.map(async (data) => {
    if (data === undefined) return undefined;
    const text = await readFile(join(data, 'instance.json'), 'utf8').catch(() => undefined);
    return text && { data, text };
  });
  const found = (await Promise.all(texts)).find(Boolean);
  if (!found)
    throw new Error(
      `No local instance runs on ${named ?? DEFAULT_DATA}: start one with "npm start", name its directory with --data, or a stack with --stack`,
    );
  const instance = JSON.parse(found.text) as InstanceFile;
  const { dynamodb, events, secretsmanager, table, credentials, settings = {} } = instance;
  const { env } = process;
  adoptEnvironment(
    sdkEnvironment(env, { dynamodb, events, secretsmanager }, credentialsFor(env, credentials)),
  );
  return target({
    ...NAMES,
    table: other ?? table,
    dynamodb,
    settings,
    audit: trailInFile(join(found.data, AUDIT_FILE)),
  });
}

/** @throws Error when the stack lacks an output */
async function openStack(
  StackName: string,
  region: string | undefined,
  table: string | undefined,
): Promise<Target> {
  if (region !== undefined) process.env['AWS_REGION'] = region;
  const { Stacks } = await new CloudFormationClient().send(new DescribeStacksCommand({ StackName }));
  const outputs = new Map(
    Stacks?.[0]?.Outputs?.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]),
  );
  const output = (name: string) => {
    const value = outputs.get(name);
    if (value === undefined) throw new Error(`The stack ${StackName} has no output ${name}`);
    return value;
  };
  const auditLog = outputs.get('AuditLogGroupName');
  return target({
    table: table ?? output('TableName'),
    instance: output('InstanceName'),
    eventBus: output('EventBusName'),
    signingKey: output('SigningKeySecretId'),
    audit: auditLog === undefined ? undefined : trailInLogGroup(auditLog),
    // A hash of another cost would take another time to verify; events are those that its functions publish.
    settings: {
      [settingVariable('BcryptCost')]: output('BcryptCost'),
      [settingVariable('Events')]: outputs.get('PublishedEvents') ?? '',
    },
  });
}

interface Names extends Pick<Target, 'audit'> {
  readonly table: string;
  readonly instance: string;
  readonly eventBus: string;
  readonly signingKey: string;
  /** Endpoint of DynamoDB, if not that of the region. */
  readonly dynamodb?: string;
  /** Settings of the instance, as variables. */
  readonly settings?: Readonly<Record<string, string>>;
}

const target = ({ table, dynamodb, instance, settings, ...names }: Names): Target => ({
  runtime: {
    ...runtimeOn(
      openTable(table, dynamodb),
      instance,
      settingsFromEnvironment({ ...process.env, ...settings }),
    ),
    publish: publisherTo(names.eventBus),
  },
  actor: operator(),
  eventBus: names.eventBus,
  signingKey: names.signingKey,
  audit: names.audit,
});
