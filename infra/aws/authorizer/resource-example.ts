import { App, Stack } from 'aws-cdk-lib';
import { HttpIntegration, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpUrlIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { resourceAuthorizer } from 'core-account/authorizer';

/** Two APIs of another team, for accounts with the role `orders`; `npx cdk synth --app 'node infra/aws/authorizer/resource-example.ts'` */
export function resourceStack(): Stack {
  const stack = new Stack(new App(), 'orders', { env: { account: '444455556666', region: 'eu-central-1' } });
  const url = 'https://backend.example.com/';
  const orders = resourceAuthorizer('https://orders.example.com', {
    issuer: 'https://core.example.com',
    roles: ['orders'],
  });
  const api = new HttpApi(stack, 'Api', { defaultAuthorizer: orders.forHttpApi() });
  api.addRoutes({ path: '/orders', integration: new HttpUrlIntegration('Orders', url) });
  const rest = new RestApi(stack, 'Rest', {
    defaultMethodOptions: { authorizer: orders.forRestApi(stack) },
  });
  rest.root.addResource('orders').addMethod('GET', new HttpIntegration(url));
  return stack;
}

if (import.meta.main) resourceStack();
