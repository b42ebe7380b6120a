import type {
  APIGatewayAuthorizerResult as Result,
  APIGatewayTokenAuthorizerEvent as TokenEvent,
} from 'aws-lambda';
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { PRESENTED } from './presented.ts';

/** The tokens that an API accepts. */
export interface Accepted {
  readonly issuer: string;
  readonly audience: string;
  readonly roles: readonly string[];
}

/**
 * A fetch of keys ends before Lambda ends the function, so that its reason is logged. Keys are fetched again after ten minutes:
 * without the instance nobody has a younger token anyway, and a revoked key is forgotten. An unknown key fetches them at most
 * every half minute.
 */
const KEYS = { timeoutDuration: 5000, cacheMaxAge: 600_000, cooldownDuration: 30_000 };

/** Faults of a token, as opposed to those of the instance, when its key is sought. */
const OF_TOKEN = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported];

/** API Gateway answers 401 to an error with this message, 500 to all others, and caches neither. */
const refused = (cause: unknown) => new Error('Unauthorized', { cause });

/** The keys that an instance publishes, as `jwks_uri` of its metadata has them. @throws Error without them, which is no fault of a token */
function keysOf(issuer: string): JWTVerifyGetKey {
  const remote = createRemoteJWKSet(new URL('/.well-known/jwks.json', issuer), KEYS);
  return (header, token) =>
    remote(header, token).catch((error) => {
      if (OF_TOKEN.some((kind) => error instanceof kind)) throw error;
      throw new Error(`The keys of ${issuer} could not be read: ${error.message}`);
    });
}

function policy({ sub = '', client_id, jti, scope }: JWTPayload, methodArn: string, isPermitted: boolean) {
  // What is decided holds for the whole API: `<arn>:<api>/<stage>/<method>/<path>`.
  const [api = ''] = methodArn.split('/');
  const Effect = isPermitted ? 'Allow' : 'Deny';
  return {
    principalId: sub,
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect, Resource: `${api}/*` }],
    },
    // API Gateway takes no lists.
    context: { sub, client_id: `${client_id}`, jti: `${jti}`, roles: `${scope ?? ''}` },
  } satisfies Result;
}

/**
 * The function of a REST API that verifies tokens of an instance by its public keys.
 *
 * - A token that it does not accept is refused with 401, and with 403 if it lacks a role.
 * - Without keys it fails: the gateway then answers 500, and no request is let in.
 *
 * @param now milliseconds since the epoch
 */
export function tokenVerifier({ issuer, audience, roles }: Accepted, now = Date.now) {
  const keys = keysOf(issuer);
  return async ({ authorizationToken, methodArn }: TokenEvent): Promise<Result> => {
    const [, token = ''] = PRESENTED.exec(authorizationToken) ?? [];
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms: ['RS256'],
      typ: 'at+jwt',
      requiredClaims: ['exp', 'iat', 'sub', 'client_id', 'jti'],
      currentDate: new Date(now()),
    }).catch((error) => {
      throw error instanceof errors.JOSEError ? refused(error) : error;
    });
    const held = typeof payload['scope'] === 'string' ? payload['scope'].split(' ') : [];
    return policy(
      payload,
      methodArn,
      roles.every((role) => held.includes(role)),
    );
  };
}
