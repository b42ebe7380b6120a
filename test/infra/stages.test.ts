import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { expect, it } from 'vitest';
import { readContext, requirePlace } from '#infra/aws/context';
import { passkeyDomainOf, readConfiguration, stageNames, warningsAbout } from '#infra/stages/configuration';
import { OPTION_NAMES, OPTIONS, RETENTION_DAYS } from '#infra/stages/options';
import { newFolder } from '../unit/support/folder.ts';
import { EVERY_OPTION, inApp, PROD } from './synth.ts';

const folder = newFolder();

/** The configuration of a stage whose file has these values. */
function stage(values: unknown, given: Readonly<Record<string, unknown>> = {}) {
  writeFileSync(join(folder, 'test.json'), JSON.stringify(values));
  return readConfiguration({ stage: 'test', ...given }, folder);
}

it('a stage has the values of its file, as the context would have them as texts', () => {
  const file = { logRetentionDays: 7, tags: { a: 'b' }, 'Settings:AllowQueryToken': false, stackName: 'x' };
  const texts = { ...file, logRetentionDays: '7', tags: '{"a":"b"}', 'Settings:AllowQueryToken': 'false' };
  expect(stage(file)).toEqual(readConfiguration(texts));
  expect(stage(file)).toMatchObject({ logRetentionDays: 7, settings: { AllowQueryToken: false } });
});

it('the issuers of a stage are a list of objects, and the same as JSON on the command line', () => {
  const Issuers = [{ name: 'gitlab', issuer: 'https://gitlab.com', audience: 'a,b' }];
  const text = JSON.stringify(Issuers);
  expect(stage({ 'Settings:Issuers': Issuers }).settings.Issuers).toBe(text);
  expect(readConfiguration({ 'Settings:Issuers': text }).settings.Issuers).toBe(text);
  expect(stage({ 'Settings:Issuers': [] }).settings.Issuers).toBe('');
});

it('every fault of an issuer is listed with those of other values', () => {
  const Issuers = [
    { name: 'gitlab', issuer: 'https://gitlab.com' },
    { name: 'X', issuer: 'https://1.2.3.4' },
  ];
  expect(() => stage({ 'Settings:Issuers': Issuers, archiveDays: 0 })).toThrow(
    new RegExp(
      [
        'archiveDays expects .*',
        'Settings:Issuers: "X" \\(2\\) name: Must consist of .*',
        'Settings:Issuers: "X" \\(2\\) issuer: Must not have an IP address as its host',
      ].join('\n'),
    ),
  );
});

const resource = (audience: string) => ({ 'Settings:Resources': [{ audience }] });

it('the resources of a stage are a list of objects, and the same as JSON on the command line', () => {
  const given = resource('https://orders.example.com');
  const text = JSON.stringify(given['Settings:Resources']);
  expect(stage(given).settings.Resources).toBe(text);
  expect(readConfiguration({ 'Settings:Resources': text }).settings.Resources).toBe(text);
});

it.each<readonly [string, string, string, object]>([
  ['no URI', 'orders', 'Must be an absolute URI', {}],
  ['a fragment', 'https://orders.example.com#a', 'Must not have a fragment', {}],
  ...['', '/', '/api/core'].map(
    (path) =>
      [
        `the API with "${path}"`,
        `https://id.example.com${path}`,
        'Must be another service: tokens for this API are sessions',
        { 'Settings:Issuer': 'https://id.example.com' },
      ] as const,
  ),
  [
    'the API by its URL',
    'https://api.example.com/api/core',
    'Must be another service: tokens for this API are sessions',
    { 'Settings:ApiUrl': 'https://api.example.com' },
  ],
  [
    'the API by its domain',
    'https://id.example.com',
    'Must be another service: tokens for this API are sessions',
    { domainName: EVERY_OPTION.domainName, certificateArn: EVERY_OPTION.certificateArn },
  ],
])('a synth refuses a resource that is %s', (_, audience, fault, others) => {
  expect(() => stage({ ...resource(audience), ...others })).toThrow(
    new RegExp(`^Settings:Resources: .* audience: ${fault}$`, 'm'),
  );
});

it.each([
  [{ 'Settings:Issuer': 'https://id.example.com' }, true],
  [{ domainName: EVERY_OPTION.domainName, certificateArn: EVERY_OPTION.certificateArn }, true],
  [{ 'Settings:Issuer': 'https://other.example.com' }, false],
])('with %j, a synth refuses the own issuer among those of machines: %s', (others, isOwn) => {
  const Issuers = [{ name: 'own', issuer: 'https://id.example.com', platform: 'other' }];
  const read = () => stage({ 'Settings:Issuers': Issuers, ...others });
  if (isOwn) expect(read).toThrow('Settings:Issuers: "own" issuer: Must not be the own one');
  else expect(read).not.toThrow();
});

it('a stage is overridden by the context', () => {
  const configuration = stage({ logRetentionDays: 7, archiveDays: 8 }, { archiveDays: '9' });
  expect(configuration).toMatchObject({ logRetentionDays: 7, archiveDays: 9 });
});

it('a stage is a stack of its own, which a deployment without a stage does not change', () => {
  expect(readConfiguration({}).stackName).toBe('core-account');
  expect(stage({}).stackName).toBe('core-account-test');
  expect(stage({}, { stackName: 'other' }).stackName).toBe('other');
  const stacks = [{}, ...stageNames().map((name) => ({ ...PROD, stage: name }))].map(
    (context) => readConfiguration(context).stackName,
  );
  expect(stacks).toEqual([...new Set(stacks)]);
});

it('prod does not synthesize without an address or the topic of an on-call service to page', () => {
  const alarmTopicArn = 'arn:aws:sns:eu-central-1:111122223333:on-call';
  expect(() => readConfiguration({ stage: 'prod' })).toThrow('alarms need a recipient');
  for (const given of [{ alarmTopicArn }, { alarmEmail: PROD.alarmEmail }])
    expect(readConfiguration({ stage: 'prod', ...given })).toMatchObject(given);
});

it('a stack has the protection, the tags and the place of its stage', () => {
  const propertiesOf = (context: object) =>
    inApp({ ...context }, ({ terminationProtection, tags, environment }) => [
      terminationProtection,
      tags.tagValues(),
      environment,
    ]);
  const given = { tags: { cost: '42' }, account: '111122223333', region: 'eu-central-1' };
  expect(propertiesOf({ ...PROD, ...given })).toEqual([true, given.tags, 'aws://111122223333/eu-central-1']);
  expect(propertiesOf({})[0]).toBe(false);
});

type Fault = [fault: string, values: Record<string, unknown>, message?: string];

/** Values that are invalid, and the beginning of the error, by default `<name> expects`. */
const FAULTS: Fault[] = [
  ['a misspelt setting', { 'Setting:AllowQueryToken': 'false' }, 'Setting:AllowQueryToken'],
  ['a misspelt option', { logRetention: '7' }, 'logRetention'],
  ['a domain without a certificate', { domainName: 'id.example.com' }, 'require each other'],
  ['a retention unknown to CloudWatch', { logRetentionDays: 8 }],
  ['no days', { archiveDays: 0 }],
  ['a word as a boolean', { terminationProtection: 'yes' }],
  ['half a reservation', { reservedConcurrency: 0.5 }],
  ['a URL as the deployed domain', { deployedPasskeyDomain: 'https://id.example.com' }],
  ['a URL as a domain', { domainName: 'https://id.example.com' }],
  ['a certificate of another service', { certificateArn: 'arn:aws:iam::111122223333:x' }],
  ['an account without a region', { account: '111122223333' }, 'require each other'],
  ['a certificate without a name', { certificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/' }],
  ['a topic with a space', { alarmTopicArn: 'arn:aws:sns:eu-west-1:111122223333:on call' }],
  ['a key without an account', { kmsKeyArn: 'arn:aws:kms:eu-west-1::key/x' }],
  ['a zone as a region', { region: 'eu-central-1a' }],
  ['an e-mail address as a topic', { alarmTopicArn: 'a@example.com' }],
  ['no recipient of alarms', { alarmsRequired: true }, 'alarms need a recipient'],
  ['a copy of no backup', { backupCopyVaultArn: EVERY_OPTION.backupCopyVaultArn }, 'requires backupDays'],
  ['a century of backups', { backupDays: 36_500 }],
  ['two addresses', { alarmEmail: 'a@example.com,b@example.com' }],
  ['null', { alarmEmail: null }],
  ['an address without encryption', { repositoryUrl: 'http://git.example.com' }],
  ['an alias of a key', { kmsKeyArn: 'arn:aws:kms:eu-west-1:111122223333:alias/x' }],
  ['an account of 11 digits', { subscriberAccounts: '11112222333' }],
  ['every account', { subscriberAccounts: '*' }],
  ['an organizational unit', { subscriberOrganization: 'ou-abcd-12345678' }],
  ['a tag that is a number', { tags: { a: 1 } }],
  ['a tag of AWS', { tags: { 'aws:a': 'b' } }],
  ['tags that are not JSON', { tags: 'a=b' }],
  ['an ARN as a table', { tableName: 'arn:aws:dynamodb:eu-west-1:111122223333:table/x' }],
  ['a table whose name makes policies too long', { tableName: 'a'.repeat(81) }],
  ...['a_b', '1st', '', 'a'.repeat(129)].map(
    (stackName): Fault => [`the name "${stackName}"`, { stackName }],
  ),
  ['an object as a text', { 'Settings:OwnerName': { a: 'b' } }],
  ['a list of objects as a text', { 'Settings:OwnerName': [{ a: 'b' }] }],
  ['issuers that are not JSON', { 'Settings:Issuers': 'github' }],
  ['issuers that are no list', { 'Settings:Issuers': '{}' }, 'Settings:Issuers: Must be a list'],
  ['an object as issuers', { 'Settings:Issuers': {} }],
  ['a list of names as issuers', { 'Settings:Issuers': ['github'] }],
  [
    'an issuer at localhost',
    { 'Settings:Issuers': [{ name: 'trial', issuer: 'http://localhost:3100/github' }] },
    'Settings:Issuers: "trial" (1) issuer: Must be an https URL',
  ],
];

it.each(FAULTS)(
  'readConfiguration names the option in the context and in a file, given %s',
  (_, values, message = `${Object.keys(values)[0]} expects`) => {
    expect(() => readConfiguration(values)).toThrow(message);
    expect(() => stage(values)).toThrow(message);
  },
);

it('the invalid values of this test name each option', () => {
  expect(OPTION_NAMES.filter((name) => !FAULTS.some(([, values]) => name in values))).toEqual([]);
});

it.each([
  ['another account', { CDK_DEFAULT_ACCOUNT: '444455556666', CDK_DEFAULT_REGION: 'eu-central-1' }],
  ['another region', { CDK_DEFAULT_ACCOUNT: '111122223333', CDK_DEFAULT_REGION: 'eu-west-1' }],
])('a stage with a place is refused with credentials of %s', (_, found) => {
  const pinned = stage({ account: '111122223333', region: 'eu-central-1' });
  expect(() => requirePlace(pinned, found)).toThrow('The stage belongs to 111122223333 eu-central-1');
  expect(() => requirePlace(stage({}), found)).not.toThrow();
  for (const own of [{}, { CDK_DEFAULT_ACCOUNT: '111122223333', CDK_DEFAULT_REGION: 'eu-central-1' }])
    expect(() => requirePlace(pinned, own)).not.toThrow();
});

const { certificateArn } = EVERY_OPTION;
const AT = { domainName: 'id.example.com', certificateArn };
const GATEWAY = 'a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com';
const [API, PASSKEYS] = ['Settings:ApiUrl', 'Settings:PasskeyDomain'];

it.each<[deployed: string, values: Record<string, unknown>, next: string | undefined]>([
  ['id.example.com', AT, 'id.example.com'],
  ['id.example.com', { [API]: 'https://id.example.com/base' }, 'id.example.com'],
  ['api.example.com', { ...AT, [API]: 'https://api.example.com' }, 'api.example.com'],
  ['example.com', { ...AT, [PASSKEYS]: 'example.com' }, 'example.com'],
  [GATEWAY, {}, undefined],
])('a stage keeps the deployed domain %s of passkeys by %j', (deployedPasskeyDomain, values, next) => {
  const configuration = stage({ ...values, deployedPasskeyDomain, 'Settings:SecondFactor': 'offered' });
  expect(passkeyDomainOf(configuration)).toBe(next);
  expect(warningsAbout(configuration)).toEqual([]);
});

it.each<[deployed: string, values: Record<string, unknown>, next: string]>([
  ['id.example.com', { [API]: 'https://login.example.com' }, 'login.example.com'],
  ['id.example.com', { ...AT, domainName: 'login.example.com' }, 'login.example.com'],
  ['id.example.com', { ...AT, [PASSKEYS]: 'example.com' }, 'example.com'],
  ['example.com', AT, 'id.example.com'],
  ['id.example.com', {}, 'the host of the gateway'],
  [GATEWAY, AT, 'id.example.com'],
])('a stage is refused that moves passkeys from %s by %j', (deployedPasskeyDomain, values, next) => {
  expect(() => stage({ ...values, deployedPasskeyDomain })).toThrow(
    `The domain of passkeys moves from ${deployedPasskeyDomain} (deployedPasskeyDomain) to ${next} by`,
  );
});

it.each([
  ['off', 0],
  ['offered', 1],
  ['administrators', 1],
])('a stage with SecondFactor=%s and without a record of the domain has %i warnings', (value, warnings) => {
  expect(warningsAbout(stage({ ...AT, 'Settings:SecondFactor': value }))).toHaveLength(warnings);
});

it.each(['nowhere', '../stages/prod', '', 7])('the unknown stage %j is reported', (name) => {
  expect(() => readConfiguration({ stage: name })).toThrow('stage expects prod');
});

it('readConfiguration reports a stage that is no object, and faults of several sources together', () => {
  expect(() => stage(['logRetentionDays'])).toThrow('The stage test expects an object');
  const faults = () =>
    stage({ unknown: 1, 'Settings:BcryptCost': 9 }, { Unknown: 2, Other: 3, archiveDays: 'x' });
  for (const fault of [
    'The stage test has unknown options or settings: unknown;',
    'The context has unknown options or settings: Unknown, Other;',
    'Settings:BcryptCost expects',
    'archiveDays expects',
  ])
    expect(faults).toThrow(fault);
});

it('logs may be kept as long as CloudWatch keeps them, except forever', () => {
  expect(RETENTION_DAYS).toContain(3653);
  expect(OPTIONS.logRetentionDays.schema.safeParse('9999').success).toBe(false);
});

it.each(RegionInfo.regions.map(({ name, partition, domainSuffix }) => [name, partition, domainSuffix]))(
  'a stage may be in %s',
  (region, partition, suffix) => {
    const at = `${region}:111122223333`;
    const options = {
      account: '111122223333',
      region,
      domainName: 'id.example.com',
      certificateArn: `arn:${partition}:acm:${at}:certificate/1-2`,
      alarmTopicArn: `arn:${partition}:sns:${at}:on-call`,
      backupDays: 1,
      backupCopyVaultArn: `arn:${partition}:backup:${at}:backup-vault:Vault_1`,
      kmsKeyArn: `arn:${partition}:kms:${at}:key/mrk-1`,
    };
    expect(stage(options)).toMatchObject(options);
    const deployedPasskeyDomain = `a1b2c3d4e5.execute-api.${region}.${suffix}`;
    expect(stage({ deployedPasskeyDomain })).toMatchObject({ deployedPasskeyDomain });
  },
);

it('readContext ignores CDK’s own context keys and rejects all other unknown ones', () => {
  const read = (context: object) => readContext(new App({ context: { ...context } }).node);
  const own = { 'aws:cdk:version-reporting': false, '@aws-cdk/core:target-partitions': ['aws'] };
  expect(read(own)).toEqual(readConfiguration({}));
  expect(() => read({ 'aws-region': 'eu-west-1' })).toThrow('aws-region');
});
