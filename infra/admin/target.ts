import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CLIENT_LIMITS } from '#lib/aws';
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
import { readOutputs } from './stack/outputs.ts';

/** The instance that a command works on. */
export interface Target {
  readonly runtime: Announcing;
  /** Who works on it. */
  readonly actor: Actor;
  readonly eventBus: string;
  /** Archive of the bus of a stack; undefined for a local instance, and for a stack of an older version. */
  readonly archive: Archive | undefined;
  readonly signingKey: string;
  /** The base URL of the service; none where the stack was deployed before it was told of. */
  readonly url: string | undefined;
  /** The data directory of a local instance. */
  readonly data: string | undefined;
  /** None where the stack was deployed before it had one. */
  readonly audit: AuditTrail | undefined;
}

export interface Archive {
  readonly arn: string;
  readonly busArn: string;
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

/** The data directories that may be meant: unless named, that of the instance which `npm start` started last. */
export const dataDirectories = (named: string | undefined) =>
  named === undefined ? [lastStarted(), DEFAULT_DATA] : [named];

/**
 * @param named its data directory
 * @throws Error when no local instance is running there
 */
async function openLocal(named: string | undefined, other: string | undefined): Promise<Target> {
  const directories = dataDirectories(named);
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
  const instance = parsed(found);
  const { url, dynamodb, events, secretsmanager, table, credentials, settings = {} } = instance;
  const { env } = process;
  adoptEnvironment(
    sdkEnvironment(env, { dynamodb, events, secretsmanager }, credentialsFor(env, credentials)),
  );
  return target({
    ...NAMES,
    archive: undefined,
    url,
    table: other ?? table,
    dynamodb,
    settings,
    data: found.data,
    audit: trailInFile(join(found.data, AUDIT_FILE)),
  });
}

/** @throws Error with a text for people */
function parsed({ data, text }: { data: string; text: string }): InstanceFile {
  try {
    return JSON.parse(text) as InstanceFile;
  } catch {
    throw new Error(
      `${join(data, 'instance.json')} is damaged: stop the instance and start it again, which writes it anew`,
    );
  }
}

/** @throws Error when the stack lacks an output */
async function openStack(
  StackName: string,
  region: string | undefined,
  table: string | undefined,
): Promise<Target> {
  const outputs = await readOutputs(StackName, region);
  const output = (name: string) => {
    const value = outputs.get(name);
    if (value === undefined) throw new Error(`The stack ${StackName} has no output ${name}`);
    return value;
  };
  const auditLog = outputs.get('AuditLogGroupName');
  const [arn, busArn] = [outputs.get('ArchiveArn'), outputs.get('EventBusArn')];
  return target({
    table: table ?? output('TableName'),
    instance: output('InstanceName'),
    eventBus: output('EventBusName'),
    archive: arn === undefined || busArn === undefined ? undefined : { arn, busArn },
    signingKey: output('SigningKeySecretId'),
    url: outputs.get('ApiUrl'),
    audit: auditLog === undefined ? undefined : trailInLogGroup(auditLog),
    // A hash of another cost would take another time to verify; events are those that its functions publish.
    settings: {
      [settingVariable('BcryptCost')]: output('BcryptCost'),
      [settingVariable('Events')]: outputs.get('PublishedEvents') ?? '',
    },
  });
}

interface Names extends Pick<Target, 'archive' | 'audit' | 'url'> {
  readonly table: string;
  readonly instance: string;
  readonly eventBus: string;
  readonly signingKey: string;
  readonly data?: string;
  /** Endpoint of DynamoDB, if not that of the region. */
  readonly dynamodb?: string;
  /** Settings of the instance, as variables. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Work on many items at once may keep an engine busy; nobody waits for an answer within seconds. */
const LIMITS = {
  ...CLIENT_LIMITS,
  requestHandler: { ...CLIENT_LIMITS.requestHandler, requestTimeout: 15_000 },
};

const target = ({ table, dynamodb, instance, settings, ...names }: Names): Target => ({
  runtime: {
    ...runtimeOn(
      openTable(table, dynamodb, LIMITS),
      instance,
      settingsFromEnvironment({ ...process.env, ...settings }),
    ),
    publish: publisherTo(names.eventBus),
  },
  actor: operator(),
  eventBus: names.eventBus,
  archive: names.archive,
  signingKey: names.signingKey,
  url: names.url,
  data: names.data,
  audit: names.audit,
});
