import { readFileSync } from 'node:fs';
import { App, Lazy, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { HttpIntegration, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpUrlIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { resourceAuthorizer } from '#infra/aws/authorizer/constructs';
import { resourceStack } from '#infra/aws/authorizer/resource-example';
import { resourcesIn } from '#lib/resource/resources';

const AUDIENCE = 'https://orders.example.com';
const ISSUER = 'https://core.example.com';
const url = 'https://b.test/';

const newStack = () => new Stack(new App(), 'Protected');
const integration = () => new HttpUrlIntegration('Url', url);

const example = resourceStack();
const template = Template.fromStack(example);

describe('an HTTP API', () => {
  it('has the JWT authorizer of API Gateway, without a function', () => {
    const stack = newStack();
    const defaultAuthorizer = resourceAuthorizer(AUDIENCE, { issuer: ISSUER }).forHttpApi();
    new HttpApi(stack, 'Api', { defaultAuthorizer }).addRoutes({ path: '/a', integration: integration() });
    const http = Template.fromStack(stack);
    http.hasResourceProperties('AWS::ApiGatewayV2::Authorizer', {
      AuthorizerType: 'JWT',
      IdentitySource: ['$request.header.Authorization'],
      JwtConfiguration: { Issuer: ISSUER, Audience: [AUDIENCE] },
    });
    http.hasResourceProperties('AWS::ApiGatewayV2::Route', {
      AuthorizationType: 'JWT',
      AuthorizerId: { Ref: Match.stringLikeRegexp('ResourceAuthorizer') },
      AuthorizationScopes: Match.absent(),
    });
    http.resourceCountIs('AWS::Lambda::Function', 0);
  });

  it('lets in the role only', () => {
    template.hasResourceProperties('AWS::ApiGatewayV2::Route', { AuthorizationScopes: ['orders'] });
  });

  it('takes the scopes of each route where the authorizer has no role', () => {
    const stack = newStack();
    const authorizer = resourceAuthorizer(AUDIENCE, { issuer: ISSUER }).forHttpApi();
    const api = new HttpApi(stack, 'Api');
    api.addRoutes({
      path: '/a',
      integration: integration(),
      authorizer,
      authorizationScopes: ['orders', 'stock'],
    });
    Template.fromStack(stack).hasResourceProperties('AWS::ApiGatewayV2::Route', {
      AuthorizationScopes: ['orders', 'stock'],
    });
  });

  it('refuses several roles, of which any would do', () => {
    const orders = resourceAuthorizer(AUDIENCE, { issuer: ISSUER, roles: ['orders', 'stock'] });
    expect(() => orders.forHttpApi()).toThrow('name one role here');
  });

  it('refuses a scope of a route that would do instead of the role', () => {
    const stack = newStack();
    const authorizer = resourceAuthorizer(AUDIENCE, { issuer: ISSUER, roles: ['orders'] }).forHttpApi();
    const api = new HttpApi(stack, 'Api', { defaultAuthorizer: authorizer });
    api.addRoutes({ path: '/a', integration: integration(), authorizationScopes: ['stock'] });
    expect(() => Template.fromStack(stack)).toThrow('any of the scopes orders, stock');
  });

  it('may have several authorizers', () => {
    const stack = newStack();
    const api = new HttpApi(stack, 'Api');
    for (const [id, roles] of [
      ['Readers', ['read']],
      ['Writers', ['write']],
    ] as const) {
      const authorizer = resourceAuthorizer(AUDIENCE, { issuer: ISSUER, roles }).forHttpApi(id);
      const methods = [id === 'Readers' ? HttpMethod.GET : HttpMethod.POST];
      api.addRoutes({ path: '/a', methods, integration: integration(), authorizer });
    }
    Template.fromStack(stack).resourceCountIs('AWS::ApiGatewayV2::Authorizer', 2);
  });
});

describe('a REST API', () => {
  it.each<[string, string, object]>([
    [
      'verifies tokens in the header, and caches no decision',
      'ApiGateway::Authorizer',
      {
        Type: 'TOKEN',
        IdentitySource: 'method.request.header.Authorization',
        AuthorizerResultTtlInSeconds: 0,
        IdentityValidationExpression: Match.stringLikeRegexp('^\\^.*\\$$'),
      },
    ],
    [
      'protects its methods',
      'ApiGateway::Method',
      {
        HttpMethod: 'GET',
        AuthorizationType: 'CUSTOM',
        AuthorizerId: { Ref: Match.stringLikeRegexp('ResourceAuthorizer') },
      },
    ],
    [
      'verifies for its audience and role, without a secret',
      'Lambda::Function',
      {
        Environment: {
          Variables: Match.objectEquals({
            CORE_ACCOUNT_ISSUER: ISSUER,
            CORE_ACCOUNT_AUDIENCE: AUDIENCE,
            CORE_ACCOUNT_ROLES: '["orders"]',
          }),
        },
        Timeout: 10,
        Runtime: 'nodejs24.x',
      },
    ],
    ['lets API Gateway invoke the function', 'Lambda::Permission', { Principal: 'apigateway.amazonaws.com' }],
  ])('%s', (_what, type, properties) => {
    template.hasResourceProperties(`AWS::${type}`, properties);
  });

  it('has a function that may do nothing but log', () => {
    template.resourceCountIs('AWS::IAM::Policy', 0);
    template.hasResourceProperties('AWS::IAM::Role', {
      ManagedPolicyArns: [
        { 'Fn::Join': ['', Match.arrayWith([':iam::aws:policy/service-role/AWSLambdaBasicExecutionRole'])] },
      ],
    });
  });
});

describe('the arguments', () => {
  it.each([
    'http://core.example.com',
    'https://core.example.com/',
    'https://core.example.com/api/core',
    'core.example.com',
    '',
  ])('refuse the issuer "%s"', (issuer) => {
    expect(() => resourceAuthorizer(AUDIENCE, { issuer })).toThrow('must be Settings:Issuer of the instance');
  });

  it.each([
    ['orders', 'must be an absolute URI'],
    ['https://orders.example.com#a', 'must not have a fragment'],
    [ISSUER, 'must be that of your service'],
  ])('refuse the audience "%s"', (audience, fault) => {
    expect(() => resourceAuthorizer(audience, { issuer: ISSUER })).toThrow(`The audience ${fault}`);
  });

  it.each(['', 'orders stock'])('refuse the role "%s"', (role) => {
    expect(() => resourceAuthorizer(AUDIENCE, { issuer: ISSUER, roles: [role] })).toThrow('A role must be');
  });

  it('may be outputs of other stacks', () => {
    const stack = newStack();
    const later = (value: string) => Lazy.string({ produce: () => value });
    const rest = new RestApi(stack, 'Rest', {
      defaultMethodOptions: {
        authorizer: resourceAuthorizer(later('urn:orders'), { issuer: later(ISSUER) }).forRestApi(stack),
      },
    });
    rest.root.addMethod('GET', new HttpIntegration(url));
    Template.fromStack(stack).hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: { CORE_ACCOUNT_AUDIENCE: 'urn:orders', CORE_ACCOUNT_ISSUER: ISSUER } },
    });
  });
});

describe('the page about gateways', () => {
  const page = readFileSync('infra/gateways.md', 'utf8');
  /** The only block of a language. */
  const blockOf = (language: string) =>
    new RegExp(`^ *\`\`\`${language}\\n(.*?)^ *\`\`\``, 'ms').exec(page)?.[1] ?? '';

  it('has an authorizer for both APIs in three lines', () => {
    const [first, ...lines] = blockOf('ts').trim().split('\n');
    expect(first).toContain("from 'core-account/authorizer'");
    expect(lines).toHaveLength(3);
    const stack = newStack();
    const body = `${lines.join('\n')}; return this.node.findChild('Rest');`;
    const build = new Function('resourceAuthorizer', 'HttpApi', 'RestApi', body);
    (build.call(stack, resourceAuthorizer, HttpApi, RestApi) as RestApi).root.addMethod(
      'GET',
      new HttpIntegration(url),
    );
    (stack.node.findChild('Api') as HttpApi).addRoutes({ path: '/a', integration: integration() });
    const built = Template.fromStack(stack);
    built.hasResourceProperties('AWS::ApiGatewayV2::Route', { AuthorizationType: 'JWT' });
    built.hasResourceProperties('AWS::ApiGateway::Method', { AuthorizationType: 'CUSTOM' });
  });

  it('has a setting that names the audience of these lines', () => {
    const { 'Settings:Resources': resources } = JSON.parse(blockOf('json'));
    expect(resourcesIn(JSON.stringify(resources), [ISSUER])).toMatchObject([{ audience: AUDIENCE }]);
    expect(blockOf('ts')).toContain(`resourceAuthorizer('${AUDIENCE}', { issuer: '${ISSUER}' })`);
  });
});

it('cdk-nag finds in the authorizers what the functions of the service have too, and the policy of their logs', () => {
  const found = [new AwsSolutionsChecks(), new ServerlessChecks()]
    .flatMap((pack) => pack.validateScope(example).violations)
    .filter(({ violatingResources }) =>
      violatingResources.some(({ constructPath }) => constructPath?.includes('ResourceAuthorizer')),
    );
  expect(found.map(({ ruleName }) => ruleName.replace(/\[.*\//, '[')).sort()).toEqual([
    'AwsSolutions-IAM4[AWSLambdaBasicExecutionRole]',
    'Serverless-LambdaDLQ',
    'Serverless-LambdaTracing',
  ]);
});
