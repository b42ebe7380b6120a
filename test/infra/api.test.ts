import { expect, it } from 'vitest';
import { contracts, routes } from '#lib/routes';
import { EVERY_OPTION, functionOf, invokersOf, OTHER_OPTIONS, render, synthesize } from './synth.ts';

const stack = synthesize();
const gateway = stack.one('AWS::ApiGatewayV2::Api');
const stage = stack.one('AWS::ApiGatewayV2::Stage');
const keyOf = ({ method, path }: (typeof routes)[number]) => `${method} ${path}`;

function functionBehind(key: string): string | undefined {
  const route = stack.of('AWS::ApiGatewayV2::Route').find(({ Properties }) => Properties['RouteKey'] === key);
  const target = render(route?.Properties['Target']);
  const integration = stack
    .of('AWS::ApiGatewayV2::Integration')
    .find(({ id }) => target === `integrations/\${${id}}`);
  return integration && render(integration.Properties['IntegrationUri']);
}

it('the gateway has each route of the contracts and no other', () => {
  const keys = stack.of('AWS::ApiGatewayV2::Route').map(({ Properties }) => Properties['RouteKey']);
  expect(keys.sort()).toEqual(routes.map(keyOf).sort());
});

it.each(routes)('$method $path reaches the function of its contract', (route) => {
  expect(functionBehind(keyOf(route))).toBe(`\${${functionOf(stack, route.contract.id).id}.Arn}`);
});

it.each(contracts)('only routes of the gateway may invoke $id, by one permission', (contract) => {
  const source = `arn:\${AWS::Partition}:execute-api:\${AWS::Region}:\${AWS::AccountId}:\${${gateway.id}}`;
  const expected = [`apigateway.amazonaws.com for ${source}/*/*/*`];
  expect(invokersOf(stack, functionOf(stack, contract.id))).toEqual(expected);
});

it('each function has one integration, in payload format 2.0', () => {
  const integrations = stack.of('AWS::ApiGatewayV2::Integration').map(({ Properties }) => Properties);
  const uris = integrations.map(({ IntegrationUri }) => render(IntegrationUri));
  expect([uris.length, new Set(uris).size]).toEqual([contracts.length, contracts.length]);
  for (const integration of integrations)
    expect(integration).toMatchObject({ IntegrationType: 'AWS_PROXY', PayloadFormatVersion: '2.0' });
});

it('the access log has the route, and never a path, a query, a header or a credential', () => {
  const { Format } = stage.Properties['AccessLogSettings'] as { Format: string };
  const variables = Object.values(JSON.parse(Format) as Record<string, string>);
  const needed = ['routeKey', 'requestId', 'status', 'integrationLatency', 'identity.sourceIp'];
  expect(variables).toEqual(expect.arrayContaining(needed.map((name) => `$context.${name}`)));
  for (const variable of variables) {
    expect(variable).toMatch(/^\$context\.[A-Za-z.]+$/);
    expect(variable).not.toMatch(/path|query|header|cookie|authorizer|caller|accessKey|principal/i);
  }
});

it('the stage is created after the routes that it has settings for', () => {
  const special = Object.keys(stage.Properties['RouteSettings'] as object);
  const waitedFor = stack.of('AWS::ApiGatewayV2::Route').filter(({ id }) => stage.DependsOn?.includes(id));
  expect(waitedFor.map(({ Properties }) => Properties['RouteKey'])).toEqual(special);
});

it('only origins of Settings:CorsAllowedOrigins may call with credentials', () => {
  const open = synthesize(OTHER_OPTIONS).one(gateway.Type);
  expect(open.Properties['CorsConfiguration']).toMatchObject({
    AllowOrigins: OTHER_OPTIONS['Settings:CorsAllowedOrigins'],
    AllowCredentials: true,
    AllowHeaders: [
      ...['authorization', 'content-type', 'idempotency-key', 'if-match', 'if-none-match'],
      ...['x-batch', 'x-batch-size'],
    ],
    ExposeHeaders: [
      'x-request-id',
      'retry-after',
      'ratelimit',
      'ratelimit-policy',
      'etag',
      'www-authenticate',
    ],
    AllowMethods: expect.arrayContaining([...new Set(routes.map(({ method }) => method))]),
    MaxAge: 3600,
  });
});

it('a custom domain replaces the address of the gateway, with TLS 1.2', () => {
  const { domainName, certificateArn } = EVERY_OPTION;
  const own = synthesize(EVERY_OPTION);
  const domain = own.one('AWS::ApiGatewayV2::DomainName');
  expect(domain.Properties).toMatchObject({
    DomainName: domainName,
    DomainNameConfigurations: [
      { CertificateArn: certificateArn, EndpointType: 'REGIONAL', SecurityPolicy: 'TLS_1_2' },
    ],
  });
  expect(own.one(gateway.Type).Properties).toMatchObject({ DisableExecuteApiEndpoint: true });
  expect(own.one('AWS::ApiGatewayV2::ApiMapping').Properties).toEqual({
    ApiId: { Ref: gateway.id },
    DomainName: { Ref: domain.id },
    Stage: { Ref: stage.id },
  });
  expect(render(own.outputs['ApiUrl']?.Value)).toBe(`https://\${${domain.id}}`);
  expect(own.outputs['DomainTarget']?.Value).toEqual({ 'Fn::GetAtt': [domain.id, 'RegionalDomainName'] });
  expect(gateway.Properties).not.toHaveProperty('DisableExecuteApiEndpoint');
});
