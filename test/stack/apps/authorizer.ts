import { App, CfnOutput, CfnParameter, Stack } from 'aws-cdk-lib';
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { CoreAccountAuthorizer } from '../../../infra/aws/authorizer/constructs.ts';

/** The API of another team, for accounts with the role `orders` of the instance at the context value `url`. */
const app = new App();
const stack = new Stack(app, 'orders');
const authorizer = new CoreAccountAuthorizer(stack, 'Authorizer', {
  // A token, as the output of another stack is: the emulator has no TLS.
  url: new CfnParameter(stack, 'Instance', { default: app.node.getContext('url') }).valueAsString,
  token: Secret.fromSecretCompleteArn(stack, 'Token', app.node.getContext('token')),
  roles: ['orders'],
});
const handler = new LambdaFunction(stack, 'Orders', {
  runtime: Runtime.NODEJS_24_X,
  handler: 'index.handler',
  code: Code.fromInline("exports.handler = async () => ({ statusCode: 200, body: 'orders' });"),
});
const api = new HttpApi(stack, 'Api', { defaultAuthorizer: authorizer });
api.addRoutes({ path: '/orders', integration: new HttpLambdaIntegration('Integration', handler) });
new CfnOutput(stack, 'Url', { value: `${api.apiEndpoint}/orders` });
