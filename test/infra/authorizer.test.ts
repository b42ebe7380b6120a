import { App, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpUrlIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { expect, it } from 'vitest';
import { CoreAccountAuthorizer, type CoreAccountAuthorizerProps } from '#infra/aws/authorizer/constructs';
import { ordersStack } from '#infra/aws/authorizer/example';

/** An API with an authorizer, by default with the identity of its role. */
function protect(
  props: (stack: Stack) => Partial<CoreAccountAuthorizerProps> = () => ({ trust: 'aws@api' }),
  url = 'https://a.test',
) {
  const stack = new Stack(new App(), 'Protected');
  const given = { url, ...props(stack) } as CoreAccountAuthorizerProps;
  const authorizer = new CoreAccountAuthorizer(stack, 'Authorizer', given);
  const integration = new HttpUrlIntegration('Url', 'https://b.test/');
  new HttpApi(stack, 'Api', { defaultAuthorizer: authorizer }).addRoutes({ path: '/a', integration });
  return Template.fromStack(stack);
}

const tokenIn = (stack: Stack) => ({ token: Secret.fromSecretNameV2(stack, 'Token', 'token') });

const byDefault = protect();
const stored = protect(tokenIn);
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
const asking = (audience: string) => ({
  Effect: 'Allow',
  Action: 'sts:GetWebIdentityToken',
  Resource: '*',
  Condition: {
    'ForAllValues:StringEquals': { 'sts:IdentityTokenAudience': [audience] },
    Null: { 'sts:IdentityTokenAudience': 'false' },
    StringEquals: { 'sts:SigningAlgorithm': 'RS256' },
    NumericLessThanEquals: { 'sts:DurationSeconds': 60 },
  },
});
const policyOf = (...Statement: object[]) => ({ PolicyDocument: { Statement } });
const withVariables = (Variables: object) => ({ Environment: { Variables } });

it.each<[string, Template, string, object]>([
  ['is queried for every request', byDefault, 'ApiGatewayV2::Authorizer', simple],
  ['protects the routes of its API', byDefault, 'ApiGatewayV2::Route', route],
  ['asks for tokens for its instance only', byDefault, 'IAM::Policy', policyOf(asking('https://a.test'))],
  [
    'asks for tokens for the origin of the URL',
    protect(undefined, 'https://a.test/'),
    'IAM::Policy',
    policyOf(asking('https://a.test')),
  ],
  [
    'asks for tokens for another issuer than the URL',
    protect(() => ({ trust: 'aws@api', audience: 'https://b.test' })),
    'IAM::Policy',
    policyOf(asking('https://b.test')),
  ],
  [
    'presents the identity of its role',
    byDefault,
    'Lambda::Function',
    withVariables({
      CORE_ACCOUNT_URL: 'https://a.test',
      CORE_ACCOUNT_TRUST: 'aws@api',
      CORE_ACCOUNT_AUDIENCE: 'https://a.test',
      CORE_ACCOUNT_SECRET: Match.absent(),
    }),
  ],
  ['with a stored token reads its secret only', stored, 'IAM::Policy', policyOf(reading)],
  [
    'with a stored token presents no identity',
    stored,
    'Lambda::Function',
    withVariables({
      CORE_ACCOUNT_URL: 'https://a.test',
      CORE_ACCOUNT_SECRET: Match.objectLike({ 'Fn::Join': Match.anyValue() }),
      CORE_ACCOUNT_TRUST: Match.absent(),
    }),
  ],
  ['is invoked by the gateway', byDefault, 'Lambda::Permission', { Principal: 'apigateway.amazonaws.com' }],
  [
    'ends before the gateway stops waiting',
    byDefault,
    'Lambda::Function',
    { Timeout: 10, Runtime: 'nodejs24.x', Handler: 'index.handler' },
  ],
  [
    'of the example requires a role',
    example,
    'Lambda::Function',
    withVariables({ CORE_ACCOUNT_TRUST: 'aws@orders-api', CORE_ACCOUNT_ROLES: '["orders"]' }),
  ],
  [
    'requires each of several roles',
    protect(() => ({ trust: 'aws@api', roles: ['orders', 'stock'] })),
    'Lambda::Function',
    withVariables({ CORE_ACCOUNT_ROLES: '["orders","stock"]' }),
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

it('the example reports the subject of its trust', () => {
  example.hasOutput('AuthorizerRole', { Value: { 'Fn::GetAtt': [Match.stringLikeRegexp('Role'), 'Arn'] } });
});

it('an authorizer refuses a URL that would receive credentials in plain text', () => {
  expect(() => protect(undefined, 'http://a.test')).toThrow(/must be an https URL/);
});

it.each<[string, (stack: Stack) => object, RegExp]>([
  ['no credential', () => ({}), /Set either trust/],
  ['two credentials', (stack) => ({ trust: 'aws@api', ...tokenIn(stack) }), /Set either trust/],
  ['a trust without a machine', () => ({ trust: 'aws' }), /must be <trust>@<machine>/],
  ['a machine without a trust', () => ({ trust: '@api' }), /must be <trust>@<machine>/],
])('an authorizer refuses %s', (_what, props, message) => {
  expect(() => protect(props)).toThrow(message);
});
