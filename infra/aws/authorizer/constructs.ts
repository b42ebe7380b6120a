import { join } from 'node:path';
import { Duration, Token } from 'aws-cdk-lib';
import { HttpLambdaAuthorizer, HttpLambdaResponseType } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { Architecture, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';

export interface CoreAccountAuthorizerProps {
  /** Base URL of the instance: its output `ApiUrl`. */
  readonly url: string;
  /** Secret whose text is the API token of an account with the role `sys_introspection`. */
  readonly token: ISecret;
  /** Roles that every caller needs; by default any active account is permitted. */
  readonly roles?: readonly string[];
  /** Time, at most an hour, for which answers and refusals stay valid despite changes; none by default. */
  readonly cacheFor?: Duration;
}

/** Cache key: everything that a decision depends on. The gateway answers 401 to requests without the header. */
const CACHED_BY = ['$request.header.Authorization', '$context.identity.sourceIp', '$context.httpMethod'];

const ROOT = join(import.meta.dirname, '../../..');

/**
 * Authorizer for routes of an HTTP API. It inspects the API token or session token of each request at an instance, and
 * refuses requests while the instance does not answer.
 */
export class CoreAccountAuthorizer extends HttpLambdaAuthorizer {
  /** @throws Error unless the URL is an https URL */
  constructor(scope: Construct, id: string, props: CoreAccountAuthorizerProps) {
    const { url, token, roles = [], cacheFor = Duration.seconds(0) } = props;
    if (!Token.isUnresolved(url) && !url.startsWith('https://'))
      throw new Error('The URL of the instance must be an https URL, since it receives credentials');
    const lambda = new NodejsFunction(scope, id, {
      description: 'Introspects the credential of each request at core-account',
      entry: join(import.meta.dirname, 'function.ts'),
      projectRoot: ROOT,
      depsLockFilePath: join(ROOT, 'package-lock.json'),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: 512,
      timeout: Duration.seconds(10),
      environment: {
        CORE_ACCOUNT_URL: url,
        CORE_ACCOUNT_SECRET: token.secretArn,
        CORE_ACCOUNT_ROLES: JSON.stringify(roles),
      },
    });
    token.grantRead(lambda);
    const responseTypes = [HttpLambdaResponseType.SIMPLE];
    super(id, lambda, { identitySource: CACHED_BY, resultsCacheTtl: cacheFor, responseTypes });
  }
}
