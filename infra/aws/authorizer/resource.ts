import { Duration, Token } from 'aws-cdk-lib';
import { TokenAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import type {
  CfnRoute,
  HttpRouteAuthorizerBindOptions,
  HttpRouteAuthorizerConfig,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { Construct } from 'constructs';
import { faultOfAudience } from '#lib/resource/resources';
import { nodeFunction } from './node-function.ts';
import { PRESENTED } from './presented.ts';

export interface ResourceAuthorizerProps {
  /** Issuer of the instance (`Settings:Issuer`): the origin of its API. */
  readonly issuer: string;
  /** Roles that every caller needs; none by default. */
  readonly roles?: readonly string[];
}

/** Authorizers for the APIs of one resource. They verify its tokens, and send no request to the instance for it. */
export interface ResourceAuthorizer {
  /**
   * For an HTTP API: the JWT authorizer of API Gateway. The integration receives `requestContext.authorizer.jwt.claims`.
   *
   * @param id name of the authorizer, unless an API has several
   * @throws Error for several roles, since API Gateway lets in a token with any of them
   */
  forHttpApi(id?: string): HttpJwtAuthorizer;
  /**
   * For a REST API: a Lambda function. The integration receives `sub`, `client_id`, `jti` and `roles`, separated by spaces, in
   * `requestContext.authorizer`.
   *
   * @param scope stack of the function
   * @param id name of the authorizer, unless the scope has several
   */
  forRestApi(scope: Construct, id?: string): TokenAuthorizer;
}

const ID = 'ResourceAuthorizer';

function checkIssuer(issuer: string): void {
  if (Token.isUnresolved(issuer)) return;
  const isOrigin = URL.canParse(issuer) && new URL(issuer).origin === issuer && issuer.startsWith('https://');
  if (!isOrigin)
    throw new Error(
      `The issuer must be Settings:Issuer of the instance, an https origin without a path and a final slash, such as https://core.example.com, and is "${issuer}"`,
    );
}

function checkAudience(audience: string, issuer: string): void {
  if (Token.isUnresolved(audience)) return;
  const fault =
    audience === issuer
      ? 'must be that of your service: tokens of the instance itself are sessions'
      : faultOfAudience(audience)?.replace(/^M/, 'm');
  if (fault)
    throw new Error(
      `The audience ${fault}, as Settings:Resources of the instance has it, such as https://orders.example.com, and is "${audience}"`,
    );
}

function checkRoles(roles: readonly string[]): void {
  const [bad] = roles.filter((role) => !Token.isUnresolved(role) && !/^[\x21-\x7e]+$/.test(role));
  if (bad !== undefined) throw new Error(`A role must be a word without spaces, and is "${bad}"`);
}

/**
 * Authorizers that verify the tokens of a resource by the public keys of the instance. Nothing ends such a token early:
 * `CoreAccountAuthorizer` is for APIs that a lock must reach at once.
 *
 * @param audience `audience` of the resource, letter for letter as `Settings:Resources` of the instance has it
 * @throws Error unless the issuer is an https origin, and the audience an absolute URI
 */
export function resourceAuthorizer(
  audience: string,
  { issuer, roles = [] }: ResourceAuthorizerProps,
): ResourceAuthorizer {
  checkIssuer(issuer);
  checkAudience(audience, issuer);
  checkRoles(roles);
  return {
    forHttpApi(id = ID) {
      if (roles.length > 1)
        throw new Error(
          'An HTTP API lets in a token with any of several scopes: name one role here, and check others in your code',
        );
      return new RoleJwtAuthorizer(id, issuer, audience, roles);
    },
    forRestApi: (scope, id = ID) => tokenAuthorizer(scope, id, { issuer, audience, roles }),
  };
}

/** The JWT authorizer of API Gateway, with the role of its routes. */
class RoleJwtAuthorizer extends HttpJwtAuthorizer {
  readonly #roles: readonly string[];

  constructor(id: string, issuer: string, audience: string, roles: readonly string[]) {
    super(id, issuer, { jwtAudience: [audience] });
    this.#roles = roles;
  }

  override bind(options: HttpRouteAuthorizerBindOptions): HttpRouteAuthorizerConfig {
    const bound = super.bind(options);
    if (this.#roles.length === 0) return bound;
    const { node } = options.route;
    node.addValidation({
      validate: () => {
        const { authorizationScopes: scopes = [] } = node.defaultChild as CfnRoute;
        return scopes.length === this.#roles.length
          ? []
          : [
              `API Gateway lets in a token with any of the scopes ${scopes.join(', ')}: set roles of the authorizer, or authorizationScopes of the route`,
            ];
      },
    });
    return { ...bound, authorizationScopes: [...this.#roles] };
  }
}

interface Terms extends Required<ResourceAuthorizerProps> {
  readonly audience: string;
}

function tokenAuthorizer(scope: Construct, id: string, { issuer, audience, roles }: Terms): TokenAuthorizer {
  const handler = new NodejsFunction(scope, `${id}Function`, {
    description: 'Verifies tokens of core-account for this API',
    ...nodeFunction('resource-function.ts'),
    environment: {
      CORE_ACCOUNT_ISSUER: issuer,
      CORE_ACCOUNT_AUDIENCE: audience,
      CORE_ACCOUNT_ROLES: JSON.stringify(roles),
    },
    bundling: { minify: true, mainFields: ['module', 'main'] },
  });
  return new TokenAuthorizer(scope, id, {
    handler,
    // Refused with 401 by API Gateway itself, without an invocation.
    validationRegex: PRESENTED.source,
    // The cache knows no `exp`: a cached policy would let in a token that has expired.
    resultsCacheTtl: Duration.seconds(0),
  });
}
