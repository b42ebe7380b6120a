import { App, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpUrlIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { CoreAccountAuthorizer } from 'core-account/authorizer';

/** The API of another team, for accounts with the role `orders`; `npx cdk synth --app 'node infra/aws/authorizer/example.ts'` */
export function ordersStack(): Stack {
  const stack = new Stack(new App(), 'orders', { env: { account: '444455556666', region: 'eu-central-1' } });
  const authorizer = new CoreAccountAuthorizer(stack, 'Authorizer', {
    url: 'https://core.example.com',
    trust: 'aws@orders-api',
    roles: ['orders'],
    cacheFor: Duration.seconds(30),
  });
  const integration = new HttpUrlIntegration('Orders', 'https://orders.example.com/');
  new HttpApi(stack, 'Api', { defaultAuthorizer: authorizer }).addRoutes({ path: '/orders', integration });
  // For `trust create aws orders-api --issuer aws --subject <role>`.
  new CfnOutput(stack, 'AuthorizerRole', { value: authorizer.role.roleArn });
  return stack;
}

if (import.meta.main) ordersStack();
