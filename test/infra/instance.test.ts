import { expect, it } from 'vitest';
import { ENVIRONMENT } from '#lib/instance/environment';
import { SETTING_NAMES, settingVariable } from '#lib/instance/settings';
import { OTHER_OPTIONS, render, type Synthesized, synthesize } from './synth.ts';

const stack = synthesize();
const other = synthesize(OTHER_OPTIONS);

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
    PublishedEvents: 'user_cancel,user_reactivate,user_erase',
    RelayFunctionName: 'core-account-events-relay-outbox',
    RefillFunctionName: 'core-account-audit-refill',
    EventBusName: refTo('AWS::Events::EventBus'),
    EventBusArn: arnOf('AWS::Events::EventBus'),
    ArchiveArn: arnOf('AWS::Events::Archive'),
    AuditLogGroupName: expect.stringMatching(/^\$\{AuditLog\w+\}$/),
    BcryptCost: '12',
    TokenMaxDays: '0',
    ErasureAfterDays: '7',
    Issuers: '[]',
    Issuer: `\${${stack.one('AWS::ApiGatewayV2::Api').id}.ApiEndpoint}`,
    PasskeyDomain: `${refTo('AWS::ApiGatewayV2::Api')}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}`,
    FirstAdministratorCommand: expect.stringMatching(
      /^printf .* admin -- --stack core-account --region \$\{AWS::Region\} account create admin --role sys_administrator --role sys_tokens --password-stdin$/,
    ),
    PageTopicArn: expect.stringMatching(/^\$\{MonitoringPages\w+\}$/),
    TicketTopicArn: expect.stringMatching(/^\$\{MonitoringAlarms\w+\}$/),
    RollbackTriggersCommand: expect.stringMatching(
      /^aws cloudformation update-stack --stack-name core-account /,
    ),
    SigningKeySecretId: refTo('AWS::SecretsManager::Secret'),
    ResourceKeySecretId: expect.stringMatching(/^\$\{DataResourceKey\w+\}$/),
    ErasureKeySecretId: expect.stringMatching(/^\$\{DataErasureKey\w+\}$/),
    SupportPolicyArn: expect.stringMatching(/^\$\{OperatorsSupport\w+\}$/),
    AdministratorPolicyArn: expect.stringMatching(/^\$\{OperatorsAdministrator\w+\}$/),
  });
});

it('the output PasskeyDomain is that of the settings, where they tell', () => {
  expect(outputs(other)['PasskeyDomain']).toBe('id.example.com');
});

it('stackName names an instance, so that an account can have several', () => {
  const { stackName } = OTHER_OPTIONS;
  expect(other.one('AWS::Events::EventBus').Properties['Name']).toBe(stackName);
  expect(outputs(other)['InstanceName']).toBe(stackName);
  for (const variables of environments(other)) expect(variables[ENVIRONMENT.instance]).toBe(stackName);
  expect(other.text).not.toContain('core-account');
});

it('the template has no custom resource and no metadata', () => {
  expect(stack.all.filter(({ Type }) => /^Custom::|CustomResource|CDK::/.test(Type))).toEqual([]);
  expect(stack.all.filter((resource) => 'Metadata' in resource)).toEqual([]);
});

it('functions have the settings of the context as texts, and defaults for the others', () => {
  const given = Object.entries(OTHER_OPTIONS).filter(([name]) => name.startsWith('Settings:'));
  const texts = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
  for (const variables of environments(other)) {
    const found = SETTING_NAMES.flatMap((name) => {
      const text = variables[settingVariable(name)];
      return text === undefined ? [] : [[`Settings:${name}`, text]];
    });
    expect(Object.fromEntries(found)).toEqual(texts);
  }
});
