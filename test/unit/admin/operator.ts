import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CreateSecretCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeEach, vi } from 'vitest';
import { admin } from '#infra/admin/program';
import { refillAudit } from '#lib/audit/jobs';
import type { AuditEntry } from '#lib/item/audit-entry';
import { relayOutbox } from '#lib/outbox/jobs';
import { writeCheck } from '#lib/pseudonym/erasure-key';
import { RESOURCE_KEYS } from '#lib/resource/key-use';
import { findKeyVersion, type KeyVersion, type PrivateKey, SIGNING } from '#lib/session/key-version';
import { publishKey } from '#lib/session/publish-key';
import type { Table } from '#lib/table/table';
import { NAMES, OPERATORS_FILE } from '../../../infra/local/machine/resource-names.ts';
import { openCloudFormation } from '../../integration/cloud-formation.ts';
import { openTestTable, variablesOf } from '../support/engine.ts';
import { openTestBus } from '../support/event-bus.ts';
import { newFolder } from '../support/folder.ts';
import { openTestRelay } from '../support/relay.ts';
import { openTestSecrets } from '../support/secrets.ts';
import { newKeyPair } from '../support/signing-keys.ts';
import { type Input, printedBy } from './printed-by.ts';

/** Creates and publishes the keys of tokens for other services; answers the ID of the one that signs, and of the next one. */
async function createResourceKeys(table: Table, secrets: SecretsManagerClient) {
  const SecretId = NAMES.resourceKey;
  const [signing, next] = (await Promise.all([newKeyPair('RS256'), newKeyPair('RS256')])).map(
    ({ privateJwk }) => privateJwk,
  ) as [PrivateKey, PrivateKey];
  await secrets.send(new CreateSecretCommand({ Name: SecretId, SecretString: JSON.stringify(next) }));
  const VersionStages = [SIGNING];
  await secrets.send(
    new PutSecretValueCommand({ SecretId, SecretString: JSON.stringify(signing), VersionStages }),
  );
  for (const VersionStage of [SIGNING, undefined]) {
    const key = (await findKeyVersion(secrets, { SecretId, VersionStage })) as KeyVersion;
    await publishKey(table, key, Date.now(), RESOURCE_KEYS);
  }
  return { signing: signing.kid, next: next.kid };
}

/**
 * Opens an instance on the test engine, on which operator commands run in this process: as the local instance of a data
 * directory, and as the stack `s`. Call it once at the top of a test file.
 */
export async function openInstance(settings: Readonly<Record<string, string>> = {}) {
  const folder = newFolder();
  const fileOf = (name: string, content: string | readonly object[]): string => {
    const lines =
      typeof content === 'string' ? [content] : content.map((line) => `${JSON.stringify(line)}\n`);
    writeFileSync(join(folder, name), lines.join(''));
    return join(folder, name);
  };
  const engine = await openTestTable(settings);
  const secrets = await openTestSecrets();
  const bus = await openTestBus();
  const relay = await openTestRelay(engine.runtime, bus.publish);
  const { privateJwk } = await newKeyPair();
  const { ARN: secret = '', VersionId: version = '' } = await secrets.client.send(
    new CreateSecretCommand({ Name: NAMES.signingKey, SecretString: JSON.stringify(privateJwk) }),
  );
  await secrets.client.send(new CreateSecretCommand({ Name: NAMES.erasureKey, SecretString: 'key' }));
  await writeCheck(engine.table, 'key');
  await publishKey(engine.table, { jwk: privateJwk, secret, version }, Date.now());
  const resourceKids = await createResourceKeys(engine.table, secrets.client);

  const auditFile = join(folder, OPERATORS_FILE);
  const instance = {
    url: 'http://127.0.0.1:1',
    table: engine.table.name,
    dynamodb: engine.wire.url,
    events: process.env['AWS_ENDPOINT_URL_EVENTBRIDGE'],
    secretsmanager: process.env['AWS_ENDPOINT_URL_SECRETS_MANAGER'],
    lambda: relay.url,
    settings: variablesOf({ BcryptCost: '10', ...settings }),
  };
  const describeInstance = (changes: object = {}) =>
    fileOf('instance.json', JSON.stringify({ ...instance, ...changes }));
  const outputs: Record<string, string> = {};
  let isDenied = (_operation: string): boolean | Promise<boolean> => false;
  const cloudFormation = await openCloudFormation(outputs, (operation) => isDenied(operation));
  for (const service of ['CLOUDFORMATION', 'STS'])
    vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, cloudFormation.url);
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', engine.wire.url);
  beforeEach(() => {
    isDenied = () => false;
    describeInstance();
    rmSync(auditFile, { force: true, recursive: true });
    for (const name of Object.keys(outputs)) delete outputs[name];
    Object.assign(outputs, {
      TableName: engine.table.name,
      InstanceName: NAMES.instance,
      EventBusName: NAMES.eventBus,
      RelayFunctionName: relayOutbox.id,
      RefillFunctionName: refillAudit.id,
      SigningKeySecretId: NAMES.signingKey,
      ResourceKeySecretId: NAMES.resourceKey,
      ErasureKeySecretId: NAMES.erasureKey,
      BcryptCost: '10',
      TokenMaxDays: '0',
      ErasureAfterDays: '7',
      PublishedEvents: '',
      PasskeyDomain: 'localhost',
      Issuers: '[]',
      Issuer: 'http://localhost',
      ApiUrl: instance.url,
      EventBusArn: 'arn:bus',
      ArchiveArn: 'arn:archive',
      AuditLogGroupName: 'the-audit-log',
    });
  });
  afterAll(cloudFormation.close);

  const run = (args: readonly string[], input?: Input) =>
    printedBy(() => admin([...args, '--data', folder]), input);
  return {
    ...engine,
    secrets,
    bus,
    relay,
    outputs,
    /** Sets which calls CloudFormation and STS refuse in this test. */
    deny(next: typeof isDenied) {
      isDenied = next;
    },
    data: folder,
    signingKid: privateJwk.kid,
    resourceKids,
    describeInstance,
    /** Writes a file for a command; answers its path. */
    fileOf,
    run,
    /** The answer of a command with `--json`. */
    async json(args: readonly string[], input?: string) {
      const { code, stdout } = await run([...args, '--json'], input);
      return { code, answer: JSON.parse(stdout) };
    },
    onStack: (args: readonly string[], stack = 's', ...more: string[]) =>
      printedBy(() => admin([...args, '--stack', stack, ...more])),
    /** The lines of the audit log since the test began, by default without those of a start. */
    audited: (starts = false): AuditEntry[] =>
      readFileSync(auditFile, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as AuditEntry)
        .filter(({ outcome }) => starts || outcome !== 'started'),
  };
}
