import { Duration } from 'aws-cdk-lib';
import { HttpLambdaAuthorizer, HttpLambdaResponseType } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import { type BundlingOptions, NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { Construct } from 'constructs';
import { type FunctionCredential, giveCredential } from '../web-identity/constructs.ts';
import { nodeFunction } from './node-function.ts';

/**
 * The credential is that of an account with the role `sys_introspection`: `trust` of a machine account, for the identity of
 * the authorizer's own role, or a stored `token`.
 */
export type CoreAccountAuthorizerProps = FunctionCredential & {
  /** Base URL of the instance: its output `ApiUrl`. */
  readonly url: string;
  /** Roles that every caller needs; by default any active account is permitted. */
  readonly roles?: readonly string[];
  /** Time, at most an hour, for which answers and refusals stay valid despite changes; none by default. */
  readonly cacheFor?: Duration;
};

/** Cache key: everything that a decision depends on. The gateway answers 401 to requests without the header. */
const CACHED_BY = ['$request.header.Authorization', '$context.identity.sourceIp', '$context.httpMethod'];

/** As the functions of the service: the SDK of the runtime is slower to load, and may lack a call that is new. */
const BUNDLING: BundlingOptions = {
  bundleAwsSDK: true,
  minify: true,
  mainFields: ['module', 'main'],
  esbuildArgs: { '--alias:@aws-sdk/credential-provider-node': './infra/bundle/credentials.ts' },
};

/**
 * Authorizer for routes of an HTTP API. It inspects the API token or session token of each request at an instance, and
 * refuses requests while the instance does not answer.
 */
export class CoreAccountAuthorizer extends HttpLambdaAuthorizer {
  /** Role of the function: its ARN is the subject of the trust. */
  readonly role: IRole;

  /** @throws Error unless the URL is an https URL, and without exactly one valid credential */
  constructor(scope: Construct, id: string, props: CoreAccountAuthorizerProps) {
    const { url, roles = [], cacheFor = Duration.seconds(0) } = props;
    const lambda = new NodejsFunction(scope, id, {
      description: 'Introspects the credential of each request at core-account',
      ...nodeFunction('function.ts'),
      environment: { CORE_ACCOUNT_ROLES: JSON.stringify(roles) },
      bundling: BUNDLING,
    });
    giveCredential(lambda, url, props);
    const responseTypes = [HttpLambdaResponseType.SIMPLE];
    super(id, lambda, { identitySource: CACHED_BY, resultsCacheTtl: cacheFor, responseTypes });
    this.role = lambda.role as IRole;
  }
}

export { type ResourceAuthorizer, type ResourceAuthorizerProps, resourceAuthorizer } from './resource.ts';
