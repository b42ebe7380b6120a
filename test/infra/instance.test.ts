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

it('the outputs of the stack lead operators to its resources', () => {
  const refTo = (type: string) => `\${${stack.one(type).id}}`;
  const arnOf = (type: string) => `\${${stack.one(type).id}.Arn}`;
  expect(outputs(stack)).toEqual({
    InstanceName: 'core-account',
    ApiUrl: `\${${stack.one('AWS::ApiGatewayV2::Api').id}.ApiEndpoint}`,
    TableName: refTo('AWS::DynamoDB::GlobalTable'),
    PublishedEvents: 'user_cancel,user_reactivate',
    EventBusName: refTo('AWS::Events::EventBus'),
    EventBusArn: arnOf('AWS::Events::EventBus'),
    ArchiveArn: arnOf('AWS::Events::Archive'),
    AuditLogGroupName: expect.stringMatching(/^\$\{AuditLog\w+\}$/),
    BcryptCost: '12',
    TokenMaxDays: '0',
    FirstAdministratorCommand: expect.stringMatching(
      /^printf .* admin -- --stack core-account --region \$\{AWS::Region\} account create admin --role sys_administrator --role sys_tokens --password-stdin$/,
    ),
    PageTopicArn: expect.stringMatching(/^\$\{MonitoringPages\w+\}$/),
    TicketTopicArn: expect.stringMatching(/^\$\{MonitoringAlarms\w+\}$/),
    RollbackTriggersCommand: expect.stringMatching(
      /^aws cloudformation update-stack --stack-name core-account /,
    ),
    SigningKeySecretId: refTo('AWS::SecretsManager::Secret'),
    SupportPolicyArn: expect.stringMatching(/^\$\{OperatorsSupport\w+\}$/),
    AdministratorPolicyArn: expect.stringMatching(/^\$\{OperatorsAdministrator\w+\}$/),
  });
});

it('stackName names an instance, so that an account can have several', () => {
  const other = synthesize({ stackName: 'other' });
  expect(other.one('AWS::Events::EventBus').Properties['Name']).toBe('other');
  expect(outputs(other)['InstanceName']).toBe('other');
  for (const variables of environments(other)) expect(variables[ENVIRONMENT.instance]).toBe('other');
  expect(other.text).not.toContain('core-account');
});

it('the template has no custom resource and no metadata', () => {
  expect(stack.all.filter(({ Type }) => /^Custom::|CustomResource|CDK::/.test(Type))).toEqual([]);
  expect(stack.all.filter((resource) => 'Metadata' in resource)).toEqual([]);
});

const ORIGINS = ['https://a.example.com', 'https://b.example.com'];

it.each<[string, Record<string, unknown>]>([
  ['texts', { JwtExpireHours: '0.5', OwnerName: 'Ex, Ample' }],
  ['a number, boolean and list', { JwtExpireHours: 12, AllowQueryToken: false, CorsAllowedOrigins: ORIGINS }],
  ['an address', { ApiUrl: 'https://id.example.com' }],
])('functions have the settings of the context as %s, and defaults for the others', (_, settings) => {
  const texts = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));
  const context = Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`Settings:${name}`, value]),
  );
  const found = environments(synthesize(context)).map((variables) =>
    SETTING_NAMES.map((name) => [name, variables[settingVariable(name)]] as const).filter(
      ([name, text]) => text !== undefined && (name !== 'ApiUrl' || 'ApiUrl' in settings),
    ),
  );
  for (const one of found) expect(Object.fromEntries(one)).toEqual(texts);
});
