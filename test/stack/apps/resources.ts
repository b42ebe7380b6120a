import { App, CfnOutput, CfnParameter, Fn, Stack } from 'aws-cdk-lib';
import { LambdaIntegration, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { resourceAuthorizer } from '../../../infra/aws/authorizer/constructs.ts';
import { ORDERS } from '../../integration/resources.ts';

/**
 * The APIs of another team. The HTTP API is open until the context value `issuer` names the instance whose tokens it and a
 * REST API then verify.
 */
const app = new App();
const stack = new Stack(app, 'protected');
const named: unknown = app.node.tryGetContext('issuer');
const handler = new LambdaFunction(stack, 'Orders', {
  runtime: Runtime.NODEJS_24_X,
  handler: 'index.handler',
  code: Code.fromInline(
    'exports.handler = async ({ requestContext }) => ({ statusCode: 200, body: JSON.stringify(requestContext.authorizer ?? {}) });',
  ),
});
const integration = new HttpLambdaIntegration('Integration', handler);
const methods = [HttpMethod.GET];

if (named === undefined) {
  const api = new HttpApi(stack, 'Api');
  api.addRoutes({ path: '/orders', methods, integration });
  new CfnOutput(stack, 'Url', { value: api.apiEndpoint });
} else {
  // A token, as the output of another stack is: the emulator has no TLS.
  const issuer = new CfnParameter(stack, 'Issuer', { default: named }).valueAsString;
  const orders = resourceAuthorizer(ORDERS, { issuer });
  const clerks = resourceAuthorizer(ORDERS, { issuer, roles: ['clerk'] });
  const stock = resourceAuthorizer('https://stock.example.com', { issuer });
  const api = new HttpApi(stack, 'Api', { defaultAuthorizer: orders.forHttpApi() });
  api.addRoutes({ path: '/orders', methods, integration });
  api.addRoutes({ path: '/clerks', methods, integration, authorizer: clerks.forHttpApi('Clerks') });
  api.addRoutes({ path: '/stock', methods, integration, authorizer: stock.forHttpApi('Stock') });
  // Nobody serves its keys.
  const gone = resourceAuthorizer(ORDERS, { issuer: Fn.join('', ['http://', '127.0.0.1:9']) });
  api.addRoutes({ path: '/gone', methods, integration, authorizer: gone.forHttpApi('Gone') });
  new CfnOutput(stack, 'Url', { value: api.apiEndpoint });

  const rest = new RestApi(stack, 'Rest', {
    cloudWatchRole: false,
    defaultIntegration: new LambdaIntegration(handler),
    defaultMethodOptions: { authorizer: orders.forRestApi(stack) },
  });
  rest.root.addResource('orders').addMethod('GET');
  const others = {
    clerks: clerks.forRestApi(stack, 'ClerksOfRest'),
    stock: stock.forRestApi(stack, 'StockOfRest'),
    gone: gone.forRestApi(stack, 'GoneOfRest'),
  };
  for (const [path, authorizer] of Object.entries(others))
    rest.root.addResource(path).addMethod('GET', undefined, { authorizer });
  new CfnOutput(stack, 'RestApiId', { value: rest.restApiId });
}
