import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { systemUser } from '#infra/system-user';
import { refillAudit } from '#lib/audit/jobs';
import type { RefillAnswer, RefillRequest } from '#lib/audit/refill';
import type { Actor } from '#lib/event/event';
import { givenSettings } from '#lib/instance/expectations';
import { settingVariable } from '#lib/instance/settings';
import { CLIENT_LIMITS, isOutage, namingErrors } from '#lib/network/aws';
import type { Announcing } from '#lib/outbox/announcement';
import { relayOutbox } from '#lib/outbox/jobs';
import { type HashName, nameHashOf } from '#lib/pseudonym/name-hash';
import { runtimeOn } from '#lib/runtime';
import { openTable } from '#lib/table/table';
import { NAMES } from '../local/machine/resource-names.ts';
import type { InstanceFile } from '../local/ready.ts';
import {
  adoptEnvironment,
  credentialsFor,
  LAMBDA_ENDPOINT,
  sdkEnvironment,
} from '../local/sdk-environment.ts';
import { startedDirectories } from '../local/started.ts';
import { type AuditTrail, operator, trailInFolder, trailInLogGroup } from './audit-trail.ts';
import { invoking } from './invoke.ts';
import { Refusal } from './refusal.ts';
import { type Relay, relayOf } from './relay.ts';

export interface Target {
  readonly runtime: Announcing & { readonly hashName: HashName };
  /** The author of changes, as events and items report it. */
  readonly actor: Actor;
  /** The actor that the audit lines of a command claim. */
  readonly operator: string;
  readonly eventBus: string;
  readonly relay: Relay;
  /** Archive of the bus of a stack; undefined for a local instance. */
  readonly archive?: Archive;
  readonly signingKey: string;
  readonly resourceKey: string;
  readonly erasureKey: string;
  /** The base URL of the service. */
  readonly url: string;
  /** The data directory of a local instance. */
  readonly data?: string;
  /** The subscriber of a local instance, and the pattern of the events that it receives. */
  readonly subscribe?: string | undefined;
  readonly pattern?: string | undefined;
  readonly audit: AuditTrail;
  /** Sends a request to `audit.refill`. */
  readonly refill: (request: RefillRequest) => Promise<RefillAnswer>;
}

export interface Archive {
  readonly arn: string;
  readonly busArn: string;
}

/** The options that lead to an instance: a deployed stack, otherwise the local instance of a data directory. */
export interface TargetOptions {
  readonly data?: string;
  readonly stack?: string;
  readonly region?: string;
  /** Table to use instead of the instance's own. */
  readonly table?: string;
}

/** The names and addresses of an instance's resources. */
interface Found extends Omit<Target, 'runtime' | 'actor' | 'operator' | 'relay'> {
  /** Name of the function that publishes events. */
  readonly relay: string;
  readonly table: string;
  readonly instance: string;
  /** Settings as environment variables. */
  readonly settings: Readonly<Record<string, string>>;
  /** Name of the operator; by default the user of the operating system. */
  readonly operator?: string | undefined;
}

/** Opens the instance that the options name. @throws Error, Refusal as {@link readOutputs} */
export async function openTarget({ data, stack, region, table }: TargetOptions): Promise<Target> {
  const found = await (stack === undefined ? findLocal(dataDirectory(data)) : findStack(stack, region));
  const opened = openTable(table ?? found.table, undefined, LIMITS);
  const settings = givenSettings({ ...process.env, ...found.settings });
  const actor = operator();
  const relay = relayOf(found.relay);
  const runtime = runtimeOn(opened, found.instance, settings);
  return {
    ...found,
    actor,
    operator: found.operator ?? actor.by,
    relay,
    runtime: { ...runtime, publish: relay.publish, hashName: nameHashOf(runtime, found.erasureKey) },
  };
}

const refillBy = (functionName: string): Target['refill'] =>
  invoking(functionName, ['not_refilled', 'The function']);

const DEFAULT_DATA = '.local';

/** The data directory of a command: the named one, otherwise that of the last `npm start`. */
export const dataDirectory = (named: string | undefined, started = startedDirectories()) =>
  named ?? started[0] ?? DEFAULT_DATA;

/** The instance of a data directory. @throws Error that names it and the instances that run, if it does not run */
export function runningInstance(data: string, started = startedDirectories()): InstanceFile {
  const found = instanceOn(data);
  if (found) return found;
  const running = started.flatMap((other) => {
    const { url } = instanceOn(other) ?? {};
    return url ? `${url} (--data ${other})` : [];
  });
  const advice = 'Start one with "npm start", name its directory with --data, or a stack with --stack';
  throw new Error(
    `No local instance runs on ${data}. ${running.length > 0 ? `Running: ${running.join(', ')}` : advice}`,
  );
}

/** An instance that was killed leaves its file, but not its process. */
function instanceOn(data: string): InstanceFile | undefined {
  try {
    const instance = JSON.parse(readFileSync(join(data, 'instance.json'), 'utf8')) as InstanceFile;
    if (instance.pid !== undefined) process.kill(instance.pid, 0);
    return instance;
  } catch {
    return undefined;
  }
}

function findLocal(data: string): Found {
  const { credentials, settings = {}, user = systemUser(), ...found } = runningInstance(data);
  const { env } = process;
  const sdk = sdkEnvironment(env, found, credentialsFor(env, credentials));
  adoptEnvironment({ ...sdk, [LAMBDA_ENDPOINT]: found.lambda });
  const { instance, eventBus, signingKey, resourceKey, erasureKey } = NAMES;
  const audit = trailInFolder(data, user);
  const relay = relayOutbox.id;
  const refill = refillBy(refillAudit.id);
  return {
    ...found,
    settings,
    instance,
    eventBus,
    relay,
    signingKey,
    resourceKey,
    erasureKey,
    data,
    audit,
    refill,
  };
}

async function findStack(stack: string, region: string | undefined): Promise<Found> {
  const outputs = await readOutputs(stack, region);
  const output = (name: string) => {
    const value = outputs.get(name);
    if (value === undefined) throw new Error(`The stack ${stack} has no output ${name}: deploy this version`);
    return value;
  };
  const sts = namingErrors(new STSClient(LIMITS));
  const { Arn } = await sts.send(new GetCallerIdentityCommand()).catch(adviseOnOutage);
  return {
    table: output('TableName'),
    instance: output('InstanceName'),
    // Commands hash passwords, commit events and judge passkeys as the functions of the stack do.
    settings: {
      [settingVariable('BcryptCost')]: output('BcryptCost'),
      [settingVariable('TokenMaxDays')]: output('TokenMaxDays'),
      [settingVariable('ErasureAfterDays')]: output('ErasureAfterDays'),
      [settingVariable('Events')]: output('PublishedEvents'),
      [settingVariable('PasskeyDomain')]: output('PasskeyDomain'),
      [settingVariable('Issuers')]: output('Issuers'),
      [settingVariable('Issuer')]: output('Issuer'),
    },
    operator: Arn,
    eventBus: output('EventBusName'),
    relay: output('RelayFunctionName'),
    archive: { arn: output('ArchiveArn'), busArn: output('EventBusArn') },
    signingKey: output('SigningKeySecretId'),
    resourceKey: output('ResourceKeySecretId'),
    erasureKey: output('ErasureKeySecretId'),
    url: output('ApiUrl'),
    audit: trailInLogGroup(output('AuditLogGroupName')),
    refill: refillBy(output('RefillFunctionName')),
  };
}

/** Rethrows an error with what to check if the service did not answer. @throws Refusal `stack_unreachable` */
function adviseOnOutage(error: Error): never {
  if (!isOutage(error)) throw error;
  throw new Refusal(
    'stack_unreachable',
    `${error.message}. Check the network, then the region (--region), the credentials (AWS_PROFILE) and the name of the stack (--stack)`,
  );
}

/** The outputs of a deployed stack. @throws Refusal `stack_not_found`, `stack_unreachable`, `no_region`, `no_credentials` */
async function readOutputs(
  StackName: string,
  region: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  if (region !== undefined) process.env['AWS_REGION'] = region;
  const client = namingErrors(new CloudFormationClient(LIMITS));
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName })).catch(adviseOnOutage);
    const outputs = Stacks?.[0]?.Outputs ?? [];
    return new Map(outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
  } catch (error) {
    const { name, message } = error as Error;
    if (message.endsWith('Region is missing'))
      throw new Refusal('no_region', 'Name the region of the stack with --region or AWS_REGION');
    if (name === 'CredentialsProviderError')
      throw new Refusal('no_credentials', 'Name a profile with AWS_PROFILE, or log in with "aws sso login"');
    if (name !== 'ValidationError' || !message.includes('does not exist')) throw error;
    throw new Refusal(
      'stack_not_found',
      `There is no stack ${StackName} in ${await client.config.region()}: --region names another region`,
    );
  }
}

/** Work on many items can keep an engine busy, and no caller waits for an answer within seconds. */
const LIMITS = {
  ...CLIENT_LIMITS,
  requestHandler: { ...CLIENT_LIMITS.requestHandler, requestTimeout: 15_000 },
};
