import { withinGrace } from '../auth/activity.ts';
import { authenticateApiToken, type Owners } from '../auth/authenticate.ts';
import type { Body } from '../contract/contract.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import { causeOf, concerning } from '../failure/failure.ts';
import { issuerOf } from '../instance/issuer.ts';
import { newSession } from '../login/open-session.ts';
import { recordSession } from '../login/session-record.ts';
import type { Runtime } from '../runtime.ts';
import { BoundedMap } from '../session/bounded-map.ts';
import { faultOf } from '../text/api-token-form.ts';
import { type Client, clientOf } from './client.ts';
import { type Exchange, exchangeGrant, type Granting } from './exchange.ts';
import { OAuthFailure } from './failure.ts';
import { GRANT_TYPES, TOKEN_TYPES } from './grant-types.ts';
import { answerOf, narrowed } from './issued.ts';
import type { contract } from './token.contract.ts';

type Request = Body<typeof contract>;

/** Owners of the API tokens that ask often. */
const owners: Owners = new BoundedMap();

/**
 * Opens a session for an API token, or for a token of an issuer that a trust accepts.
 *
 * @throws OAuthFailure for everything that the client can mend; Failure `unavailable`
 */
export async function grantSession(runtime: Granting, request: Request, event: GatewayEvent) {
  const given = withoutEmpty(request);
  const client = clientOf(event, given);
  checkTarget(runtime, given);
  const { grant_type: type } = given;
  if (type === GRANT_TYPES.client) return ofClient(runtime, client, given, event);
  if (type === GRANT_TYPES.assertion || type === GRANT_TYPES.exchange)
    return exchangeGrant(runtime, exchangeIn(given, client), event);
  throw type === undefined
    ? missing('grant_type')
    : new OAuthFailure('unsupported_grant_type', `Use ${Object.values(GRANT_TYPES).join(', or ')}.`);
}

/** Parameters without a value count as omitted (RFC 6749 section 3.2). */
const withoutEmpty = (request: Request): Request =>
  Object.fromEntries(Object.entries(request).filter(([, value]) => value !== ''));

const malformed = (description: string) => new OAuthFailure('invalid_request', description);
const missing = (name: string) => malformed(`${name} is required.`);

/** Refuses a session for another service than this API. @throws OAuthFailure `invalid_target` */
function checkTarget({ settings }: Runtime, { resource }: Request): void {
  const issuer = issuerOf(settings);
  if (resource === undefined || [issuer, `${issuer}/`, `${issuer}/api/core`].includes(resource)) return;
  throw new OAuthFailure('invalid_target', `A session is for ${issuer} only: leave resource out.`);
}

/** Opens a session for an API token, as a login does. */
async function ofClient(
  runtime: Granting,
  { secret, isBasic }: Client,
  { scope }: Request,
  event: GatewayEvent,
) {
  const refused = (cause: ReturnType<typeof causeOf>) =>
    new OAuthFailure('invalid_client', 'Send a valid API token as the secret of the client.', {
      cause,
      challenges: isBasic,
    });
  const fault = faultOf(secret);
  if (fault) throw refused(fault);
  // Comes before the proof, as in a login.
  const key = await runtime.signingKey();
  const { sourceIp: address } = event.requestContext.http;
  const token = await authenticateApiToken(runtime, { value: secret, address }, [], owners).catch(causeOf);
  if (typeof token === 'string') throw refused(token);
  const { caller } = token;
  const limits = narrowed(caller, token.limits, scope);
  const opening = { ...token, limits };
  const { record, answer } = await newSession(runtime, key, caller, event, { token: opening });
  await Promise.all([
    recordSession(runtime.table, record, opening).catch(concerning(caller.username)),
    withinGrace(token.recorded),
  ]);
  return answerOf(answer, caller, limits, event);
}

/** The exchange that a request asks for. @throws OAuthFailure `invalid_request`, `invalid_client` */
function exchangeIn(request: Request, { id, secret, isBasic }: Client): Exchange {
  const isExchange = request.grant_type === GRANT_TYPES.exchange;
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
  const { scope } = request;
  if (!isExchange) {
    if (request.assertion === undefined) throw missing('assertion');
    return { name, token: request.assertion, scope, isExchange };
  }
  const { subject_token, subject_token_type, requested_token_type, actor_token } = request;
  if (subject_token === undefined) throw missing('subject_token');
  if (![TOKEN_TYPES.jwt, TOKEN_TYPES.id].includes(subject_token_type as typeof TOKEN_TYPES.jwt))
    throw malformed(`subject_token_type must be ${TOKEN_TYPES.jwt} or ${TOKEN_TYPES.id}.`);
  if (requested_token_type !== undefined && requested_token_type !== TOKEN_TYPES.access)
    throw malformed(`requested_token_type must be ${TOKEN_TYPES.access}, or absent.`);
  if (actor_token !== undefined) throw malformed('actor_token is not supported.');
  return { name, token: subject_token, scope, isExchange };
}
