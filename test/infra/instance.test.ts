import { expect, it } from 'vitest';
import { ENVIRONMENT } from '#lib/environment';
import { SETTING_NAMES, settingVariable } from '#lib/settings';
import { render, type Synthesized, synthesize } from './synth.ts';

const stack = synthesize();

const environments = ({ of }: Synthesized) =>
  of('AWS::Lambda::Function').map(
    ({ Properties }) => (Properties['Environment'] as { Variables: Record<string, unknown> }).Variables,
  );

const outputs = (synthesized: Synthesized) =>
  Object.fromEntries(Object.entries(synthesized.outputs).map(([name, { Value }]) => [name, render(Value)]));

it('operators find the instance through the outputs of its stack', () => {
  expect(outputs(stack)).toEqual({
    InstanceName: 'core-account',
    ApiUrl: `\${${stack.one('AWS::ApiGatewayV2::Api').id}.ApiEndpoint}`,
    TableName: `\${${stack.one('AWS::DynamoDB::GlobalTable').id}}`,
    PublishedEvents: 'user_cancel,user_reactivate',
    EventBusName: `\${${stack.one('AWS::Events::EventBus').id}}`,
    EventBusArn: `\${${stack.one('AWS::Events::EventBus').id}.Arn}`,
    ArchiveArn: `\${${stack.one('AWS::Events::Archive').id}.Arn}`,
    AuditLogGroupName: expect.stringMatching(/^\$\{AuditLog\w+\}$/),
    BcryptCost: '12',
    FirstAdministratorCommand: expect.stringMatching(
      /^printf .* admin -- --stack core-account --region \$\{AWS::Region\} account create admin --role sys_administrator --role sys_tokens --password-stdin$/,
    ),
    SigningKeySecretId: `\${${stack.one('AWS::SecretsManager::Secret').id}}`,
  });
});

it('the context value stackName names an instance, so that several fit into one account', () => {
  const other = synthesize({ stackName: 'other' });
  expect(other.one('AWS::Events::EventBus').Properties['Name']).toBe('other');
  expect(outputs(other)['InstanceName']).toBe('other');
  for (const variables of environments(other)) expect(variables[ENVIRONMENT.instance]).toBe('other');
  expect(other.text).not.toContain('core-account');
});

it('nothing has a physical name but what AWS makes up none for, the logs that its services write, and what people read', () => {
  const named = stack.all.filter(({ Type, Properties }) => {
    const kind = Type.split('::').at(-1);
    const names = [`${kind}Name`, kind === 'GlobalTable' ? 'TableName' : 'Name'];
    return Type !== 'AWS::IAM::Policy' && names.some((name) => name in (Properties ?? {}));
  });
  expect([...new Set(named.map(({ Type }) => Type))].sort()).toEqual([
    'AWS::ApiGatewayV2::Api',
    'AWS::ApiGatewayV2::Stage',
    'AWS::CloudWatch::Alarm',
    'AWS::CloudWatch::Dashboard',
    'AWS::EventSchemas::Registry',
    'AWS::EventSchemas::Schema',
    'AWS::Events::EventBus',
    'AWS::Logs::DeliveryDestination',
    'AWS::Logs::DeliverySource',
    'AWS::Logs::LogGroup',
  ]);
});

it('the template holds resources of the service only: no custom resource, no metadata', () => {
  expect(stack.all.filter(({ Type }) => /^Custom::|CustomResource|CDK::/.test(Type))).toEqual([]);
  expect(stack.all.filter((resource) => 'Metadata' in resource)).toEqual([]);
});

it('functions get the settings that the context names, and defaults for the others', () => {
  const given = { JwtExpireHours: '0.5', BcryptCost: '10', AllowQueryToken: 'false', OwnerName: 'Ex, Ample' };
  const context = Object.fromEntries(Object.entries(given).map(([name, text]) => [`Settings:${name}`, text]));
  for (const variables of environments(synthesize(context)))
    for (const name of SETTING_NAMES.filter((one) => one !== 'ApiUrl'))
      expect(variables[settingVariable(name)]).toBe((given as Record<string, string>)[name]);
});

it('a setting in cdk.json may be a number, a boolean or a list', () => {
  const synthesized = synthesize({
    'Settings:JwtExpireHours': 12,
    'Settings:AllowQueryToken': false,
    'Settings:CorsAllowedOrigins': ['https://a.example.com', 'https://b.example.com'],
  });
  for (const variables of environments(synthesized))
    expect(variables).toMatchObject({
      [settingVariable('JwtExpireHours')]: '12',
      [settingVariable('AllowQueryToken')]: 'false',
      [settingVariable('CorsAllowedOrigins')]: 'https://a.example.com,https://b.example.com',
    });
});

it('Settings:ApiUrl takes the place of the address of the gateway', () => {
  const synthesized = synthesize({ 'Settings:ApiUrl': 'https://id.example.com' });
  for (const variables of environments(synthesized))
    expect(variables[settingVariable('ApiUrl')]).toBe('https://id.example.com');
});

it.each(SETTING_NAMES.filter((name) => name !== 'OwnerName'))(
  'an invalid Settings:%s fails by its name',
  (name) => {
    expect(() => synthesize({ [`Settings:${name}`]: 'no value!' })).toThrow(`Settings:${name} expects`);
  },
);

it('all invalid settings are told at once', () => {
  const context = { 'Settings:BcryptCost': '9', 'Settings:JwtExpireHours': '0' };
  expect(() => synthesize(context)).toThrow(/Settings:JwtExpireHours[\s\S]*Settings:BcryptCost/);
});

it.each(['Settings:JwtExpireHour', 'settings:BcryptCost'])(
  'a setting %s that does not exist fails by its name',
  (key) => {
    expect(() => synthesize({ [key]: '12' })).toThrow(key);
  },
);

it.each(['1st', 'a_b', '', 'a'.repeat(129)])(
  'a stackName "%s" that CloudFormation refuses fails by its name',
  (stackName) => {
    expect(() => synthesize({ stackName })).toThrow('stackName expects');
  },
);
