import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfiguration, stageNames } from '#infra/stages/configuration';
import { OPTION_NAMES, OPTIONS, RETENTION_DAYS } from '#infra/stages/options';
import { inApp, synthesize } from './synth.ts';

const folder = mkdtempSync(join(tmpdir(), 'stages-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The configuration of a stage whose file says this. */
function stage(values: unknown, given: Readonly<Record<string, unknown>> = {}) {
  writeFileSync(join(folder, 'test.json'), JSON.stringify(values));
  return readConfiguration({ stage: 'test', ...given }, folder);
}

describe('a stage', () => {
  it('is a file of values by the names that the context has for them', () => {
    const { logRetentionDays, terminationProtection, subscriberAccounts, settings } = stage({
      logRetentionDays: 7,
      terminationProtection: true,
      subscriberAccounts: ['111122223333'],
      'Settings:JwtExpireHours': 8,
    });
    expect({ logRetentionDays, terminationProtection, subscriberAccounts, settings }).toMatchObject({
      logRetentionDays: 7,
      terminationProtection: true,
      subscriberAccounts: ['111122223333'],
      settings: { JwtExpireHours: 8 },
    });
  });

  it('gives what the context would give, told by texts', () => {
    const file = { logRetentionDays: 7, tags: { a: 'b' }, 'Settings:AllowQueryToken': false, stackName: 'x' };
    const texts = {
      logRetentionDays: '7',
      tags: '{"a":"b"}',
      'Settings:AllowQueryToken': 'false',
      stackName: 'x',
    };
    expect(stage(file)).toEqual(readConfiguration(texts));
  });

  it('is overridden by the context', () => {
    const { logRetentionDays, archiveDays } = stage(
      { logRetentionDays: 7, archiveDays: 8 },
      { archiveDays: '9' },
    );
    expect({ logRetentionDays, archiveDays }).toEqual({ logRetentionDays: 7, archiveDays: 9 });
  });

  it('is a stack of its own, which a deployment without a stage leaves alone', () => {
    expect(readConfiguration({}).stackName).toBe('core-account');
    expect(stage({}).stackName).toBe('core-account-test');
    expect(stage({}, { stackName: 'other' }).stackName).toBe('other');
  });
});

it.each(stageNames())('the stage %s is valid, and has a stack that no other has', (name) => {
  const stacks = [{}, ...stageNames().map((one) => ({ stage: one }))].map(
    (one) => readConfiguration(one).stackName,
  );
  expect(stacks.filter((one) => one === readConfiguration({ stage: name }).stackName)).toHaveLength(1);
});

it('two deployments of a stage have the same template, and an override changes it', () => {
  const [first, second] = [synthesize({ stage: 'prod' }), synthesize({ stage: 'prod' })];
  expect(second.text === first.text).toBe(true);
  expect(synthesize({ stage: 'prod', logRetentionDays: '7' }).text === first.text).toBe(false);
});

it('prod cannot be deleted by accident, and keeps logs and events for a year', () => {
  const prod = synthesize({ stage: 'prod' });
  for (const { Properties } of prod.of('AWS::Logs::LogGroup'))
    expect(Properties).toMatchObject({ RetentionInDays: 365 });
  expect(prod.one('AWS::Events::Archive').Properties).toMatchObject({ RetentionDays: 365 });
  const protectedIn = (context: object) =>
    inApp(
      { ...context },
      (stack, app) => app.synth().getStackArtifact(stack.artifactId).terminationProtection,
    );
  expect(protectedIn({ stage: 'prod' })).toBe(true);
  expect(protectedIn({})).toBe(false);
});

it('the tags of a stage are those of its stack', () => {
  const tags = inApp(
    { tags: { cost: '42' } },
    (stack, app) => app.synth().getStackArtifact(stack.artifactId).tags,
  );
  expect(tags).toEqual({ cost: '42' });
});

const FAULTS: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
  ['a misspelt setting', { 'Setting:AllowQueryToken': 'false' }, 'Setting:AllowQueryToken'],
  ['a misspelt option', { logRetention: '7' }, 'logRetention'],
  ['a retention that CloudWatch does not know', { logRetentionDays: 8 }, 'logRetentionDays expects'],
  ['no days', { archiveDays: 0 }, 'archiveDays expects'],
  ['a word for a boolean', { terminationProtection: 'yes' }, 'terminationProtection expects'],
  ['half a reservation', { reservedConcurrency: 0.5 }, 'reservedConcurrency expects'],
  ['a domain without a certificate', { domainName: 'id.example.com' }, 'expect each other'],
  ['a URL for a domain', { domainName: 'https://id.example.com' }, 'domainName expects'],
  [
    'a certificate of another service',
    { certificateArn: 'arn:aws:iam::111122223333:x' },
    'certificateArn expects',
  ],
  ['two addresses', { alarmEmail: 'a@example.com,b@example.com' }, 'alarmEmail expects'],
  ['an address without encryption', { repositoryUrl: 'http://git.example.com' }, 'repositoryUrl expects'],
  ['an alias of a key', { kmsKeyArn: 'arn:aws:kms:eu-west-1:111122223333:alias/x' }, 'kmsKeyArn expects'],
  ['an account of 11 digits', { subscriberAccounts: '11112222333' }, 'subscriberAccounts expects'],
  ['everybody', { subscriberAccounts: '*' }, 'subscriberAccounts expects'],
  [
    'an organizational unit',
    { subscriberOrganization: 'ou-abcd-12345678' },
    'subscriberOrganization expects',
  ],
  ['a tag that is no text', { tags: { a: 1 } }, 'tags expects'],
  ['a tag of AWS', { tags: { 'aws:a': 'b' } }, 'tags expects'],
  ['tags that are no JSON', { tags: 'a=b' }, 'tags expects'],
  [
    'an ARN for a table',
    { tableName: 'arn:aws:dynamodb:eu-west-1:111122223333:table/x' },
    'tableName expects',
  ],
  ['a stack name with an underscore', { stackName: 'a_b' }, 'stackName expects'],
  ['an object for a text', { 'Settings:OwnerName': { a: 'b' } }, 'Settings:OwnerName expects'],
  ['null', { alarmEmail: null }, 'alarmEmail expects'],
];

describe('fails by its name, in the context and in a file:', () => {
  it.each(FAULTS)('%s', (_, values, message) => {
    expect(() => readConfiguration(values)).toThrow(message);
    expect(() => stage(values)).toThrow(message);
  });

  it('every option has a fault among them', () => {
    expect(OPTION_NAMES.filter((name) => !FAULTS.some(([, values]) => name in values))).toEqual([]);
  });
});

it.each(['nowhere', '../stages/prod', '', 7])('a stage %j that there is not fails by its name', (name) => {
  expect(() => readConfiguration({ stage: name })).toThrow('stage expects prod');
});

it('a stage that is no object fails by its name', () => {
  expect(() => stage(['logRetentionDays'])).toThrow('The stage test expects an object');
});

it('all faults are told at once, of the context, of the file, of settings and of options', () => {
  const faults = () => stage({ unknown: 1, 'Settings:BcryptCost': 9 }, { Unknown: 2, archiveDays: 'x' });
  for (const fault of ['has unknown,', 'has Unknown,', 'Settings:BcryptCost expects', 'archiveDays expects'])
    expect(faults).toThrow(fault);
});

it('the context of CDK itself is none of ours, and all else is', () => {
  const own = { 'aws:cdk:version-reporting': false, '@aws-cdk/core:target-partitions': ['aws'] };
  expect(synthesize(own).text === synthesize().text).toBe(true);
  expect(() => synthesize({ 'aws-region': 'eu-west-1' })).toThrow('aws-region');
});

it('logs may be kept as long as CloudWatch can, but not for ever', () => {
  const known = Object.values(RetentionDays).filter((days) => typeof days === 'number' && days < 9999);
  expect(RETENTION_DAYS).toEqual(known);
  expect(OPTIONS.logRetentionDays.schema.safeParse('9999').success).toBe(false);
});
