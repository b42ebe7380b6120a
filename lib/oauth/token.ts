import type { Body } from '../contract/contract.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import { issuerOf } from '../instance/issuer.ts';
import type { Settings } from '../instance/settings.ts';
import { ownResources, type Resource, resourcesFromEnvironment } from '../resource/resources.ts';
import type { SigningKey } from '../session/session-token.ts';
import { type Client, clientOf } from './client.ts';
import { type Exchange, provenMachine } from './exchange.ts';
import { OAuthFailure } from './failure.ts';
import { GRANT_TYPES, TOKEN_TYPES } from './grant-types.ts';
import { issueResourceToken } from './issue-resource-token.ts';
import { issueSession } from './issue-session.ts';
import { provenClient, provenSubject, type Verifying } from './own.ts';
import type { Proven } from './proven.ts';
import type { contract } from './token.contract.ts';

type Request = Omit<Body<typeof contract>, 'resource'> & { readonly resource?: string | undefined };

/** The keys of a token endpoint: of sessions, and of tokens for other services. */
export type Granting = Verifying & {
  readonly signingKey: () => Promise<SigningKey>;
  readonly resourceKey: () => Promise<SigningKey>;
};

/**
 * Issues a token for a credential: a session, or with a `resource` a token for another service. The credential is an API
 * token, a session, or the token of an issuer that a trust accepts.
 *
 * @throws OAuthFailure for everything that the client can mend; Failure `unavailable`
 */
export async function grantToken(runtime: Granting, request: Body<typeof contract>, event: GatewayEvent) {
  const given = withoutEmpty(request);
  const client = clientOf(event, given);
  const resource = resourceOf(runtime.settings, given.resource);
  const prove = proofOf(given, client, runtime.settings);
  // Comes first, as in a login: without a key nothing is spent.
  const key = await (resource === 'own' ? runtime.signingKey() : runtime.resourceKey());
  const proven = await prove(runtime, event);
  const isExchange = given.grant_type === GRANT_TYPES.exchange;
  if (resource === 'own') return issueSession(runtime, key, proven, given.scope, event, isExchange);
  // After the proof: strangers do not learn which services there are.
  if (resource === 'unknown')
    throw new OAuthFailure(
      'invalid_target',
      `resource must be an audience of Settings:Resources, letter for letter; without it, a session is for ${issuerOf(runtime.settings)}.`,
    );
  return issueResourceToken(runtime, key, proven, resource, given.scope, event, isExchange);
}

/**
 * Parameters without a value count as omitted (RFC 6749 section 3.2).
 *
 * @throws OAuthFailure `invalid_target` for several resources
 */
function withoutEmpty({ resource, ...request }: Body<typeof contract>): Request {
  if (Array.isArray(resource))
    throw new OAuthFailure('invalid_target', 'A token is for one resource: ask for each by itself.');
  return Object.fromEntries(Object.entries({ ...request, resource }).filter(([, value]) => value !== ''));
}

/** The resources of an execution environment. */
const known = new WeakMap<Settings, readonly Resource[]>();

/** The service that a token is for: this API, another one, or one that the setting does not have. */
function resourceOf(settings: Settings, name: string | undefined): Resource | 'own' | 'unknown' {
  if (name === undefined || ownResources(settings).includes(name)) return 'own';
  const resources = known.get(settings) ?? resourcesFromEnvironment(settings);
  known.set(settings, resources);
  return resources.find(({ audience }) => audience === name) ?? 'unknown';
}

const malformed = (description: string) => new OAuthFailure('invalid_request', description);
const missing = (name: string) => malformed(`${name} is required.`);

type Prove = (runtime: Verifying, event: GatewayEvent) => Promise<Proven>;

/** How a request proves who it is. @throws OAuthFailure for a malformed one */
function proofOf(given: Request, client: Client, settings: Settings): Prove {
  const { grant_type: type } = given;
  const isExchange = type === GRANT_TYPES.exchange;
  const isOfThis = isExchange && given.subject_token_type === TOKEN_TYPES.access;
  if (isOfThis || type === GRANT_TYPES.client || type === GRANT_TYPES.assertion)
    checkAudience(given, client, settings);
  if (type === GRANT_TYPES.client) return (runtime, event) => provenClient(runtime, client, event);
  if (isOfThis) {
    const subject = subjectOf(given);
    return (runtime, event) => provenSubject(runtime, subject, event);
  }
  if (isExchange || type === GRANT_TYPES.assertion) {
    const exchange = exchangeIn(given, client, isExchange);
    return (runtime, event) => provenMachine(runtime, exchange, event);
  }
  throw type === undefined
    ? missing('grant_type')
    : new OAuthFailure('unsupported_grant_type', `Use ${Object.values(GRANT_TYPES).join(', or ')}.`);
}

/**
 * Refuses another service as `audience`, which some clients send in place of `resource`: they would pass the session that
 * they get to that service.
 *
 * @throws OAuthFailure `invalid_target`
 */
function checkAudience({ audience }: Request, { id }: Client, settings: Settings): void {
  if (audience !== undefined && ![...ownResources(settings), id].includes(audience))
    throw new OAuthFailure('invalid_target', 'Name another service in resource: audience is for trusts.');
}

/** The token of a platform, and the trust that is to accept it. */
function exchangeIn(request: Request, { id, secret, isBasic }: Client, isExchange: boolean): Exchange {
  if (secret !== '')
    throw new OAuthFailure('invalid_client', 'A trust has no secret: send none, or an empty one.', {
      cause: 'malformed_credential',
      challenges: isBasic,
    });
  const audience = isExchange ? request.audience?.replaceAll(' ', '+') : undefined;
  if (audience !== undefined && id.includes('@') && audience !== id)
    throw malformed('client_id and audience name different trusts.');
  const name = audience ?? id;
  if (!name.includes('@'))
    throw malformed(`Name the trust as <trust>@<machine> in client_id${isExchange ? ' or audience' : ''}.`);
  if (isExchange) return { name, token: subjectOf(request), isExchange };
  if (request.assertion === undefined) throw missing('assertion');
  return { name, token: request.assertion, isExchange };
}

/** The subject token of an exchange, of a type that is supported. */
function subjectOf({ subject_token, subject_token_type = '', requested_token_type, actor_token }: Request) {
  if (subject_token === undefined) throw missing('subject_token');
  if (!(Object.values(TOKEN_TYPES) as string[]).includes(subject_token_type))
    throw malformed(`subject_token_type must be ${Object.values(TOKEN_TYPES).join(', or ')}.`);
  if (requested_token_type !== undefined && requested_token_type !== TOKEN_TYPES.access)
    throw malformed(`requested_token_type must be ${TOKEN_TYPES.access}, or absent.`);
  if (actor_token !== undefined) throw malformed('actor_token is not supported.');
  return subject_token;
}
