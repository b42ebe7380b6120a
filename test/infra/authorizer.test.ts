import { App, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpUrlIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { expect, it } from 'vitest';
import { CoreAccountAuthorizer, type CoreAccountAuthorizerProps } from '#infra/aws/authorizer/constructs';
import { ordersStack } from '#infra/aws/authorizer/example';

function protect(props: Partial<CoreAccountAuthorizerProps> = {}) {
  const stack = new Stack(new App(), 'Protected');
  const token = Secret.fromSecretNameV2(stack, 'Token', 'token');
  const authorizer = new CoreAccountAuthorizer(stack, 'Authorizer', {
    url: 'https://a.test',
    token,
    ...props,
  });
  const integration = new HttpUrlIntegration('Url', 'https://b.test/');
  new HttpApi(stack, 'Api', { defaultAuthorizer: authorizer }).addRoutes({ path: '/a', integration });
  return Template.fromStack(stack);
}

const byDefault = protect();
const example = Template.fromStack(ordersStack());

const simple = {
  AuthorizerType: 'REQUEST',
  AuthorizerPayloadFormatVersion: '2.0',
  EnableSimpleResponses: true,
  AuthorizerResultTtlInSeconds: 0,
  // The cache key: a credential may be limited to GET and to addresses.
  IdentitySource: ['$request.header.Authorization', '$context.identity.sourceIp', '$context.httpMethod'],
};
const route = { AuthorizationType: 'CUSTOM', AuthorizerId: { Ref: Match.stringLikeRegexp('Authorizer') } };
const reading = {
  Effect: 'Allow',
  Action: ['secretsmanager:GetSecretValue', 'secretsmanager:DescribeSecret'],
  Resource: Match.objectLike({}),
};
const variables = {
  CORE_ACCOUNT_URL: 'https://core.example.com',
  CORE_ACCOUNT_ROLES: '["orders"]',
  CORE_ACCOUNT_SECRET: Match.objectLike({ 'Fn::Join': Match.anyValue() }),
};

it.each<[string, Template, string, object]>([
  ['is queried for every request', byDefault, 'ApiGatewayV2::Authorizer', simple],
  ['protects the routes of its API', byDefault, 'ApiGatewayV2::Route', route],
  ['reads its secret only', byDefault, 'IAM::Policy', { PolicyDocument: { Statement: [reading] } }],
  ['is invoked by the gateway', byDefault, 'Lambda::Permission', { Principal: 'apigateway.amazonaws.com' }],
  [
    'ends before the gateway stops waiting',
    byDefault,
    'Lambda::Function',
    { Timeout: 10, Runtime: 'nodejs24.x', Handler: 'index.handler' },
  ],
  ['of the example requires a role', example, 'Lambda::Function', { Environment: { Variables: variables } }],
  [
    'requires each of several roles',
    protect({ roles: ['orders', 'stock'] }),
    'Lambda::Function',
    { Environment: { Variables: { CORE_ACCOUNT_ROLES: '["orders","stock"]' } } },
  ],
  [
    'of the example is cached for half a minute',
    example,
    'ApiGatewayV2::Authorizer',
    { AuthorizerResultTtlInSeconds: 30 },
  ],
])('an authorizer %s', (_what, template, type, properties) => {
  template.hasResourceProperties(`AWS::${type}`, properties);
});

it('an authorizer refuses a URL that would receive credentials in plain text', () => {
  expect(() => protect({ url: 'http://a.test' })).toThrow(/must be an https URL/);
});
