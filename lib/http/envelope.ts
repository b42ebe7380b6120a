import { presentsCredential } from '../auth/credential.ts';
import { Answer } from '../contract/answer.ts';
import type { Contract } from '../contract/contract.ts';
import type { GatewayEvent, GatewayResult } from '../contract/gateway-event.ts';
import { FAILURES, type FailureCode } from '../failure/codes.ts';
import { Failure, invalid, type ReachedLimit } from '../failure/failure.ts';
import { resourceMetadataOf } from '../instance/issuer.ts';
import type { Settings } from '../instance/settings.ts';
import { describe, log } from '../log/log.ts';
import { isOutage } from '../network/aws.ts';
import { microsecondTimestamp } from '../precise-time.ts';
import { type EndpointMiddleware, fieldsOf, type RequestContext } from './request.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

const enveloped = (success: boolean, message: string, requestID: string, data: unknown) =>
  JSON.stringify({ success, message, requestID, executed_at: microsecondTimestamp(), data });

/** Renders the answer of a rule as a response of the gateway. */
export function rendered(
  { title, headers: given }: Contract,
  { data, cookies, type, gzipped, headers: own, status }: Answer,
  { requestContext: { requestId } }: GatewayEvent,
): GatewayResult {
  // Account endpoints answer credentials and personal data, which no cache may store (RFC 9111).
  const common: Record<string, string> = title === undefined ? {} : { 'cache-control': 'no-store' };
  // A 304 has the type of its 200: without one, the gateway adds another.
  const same: Record<string, string> = status === 304 ? { 'content-type': type ?? JSON_TYPE } : {};
  if (status !== 200)
    return {
      statusCode: status,
      headers: { ...same, ...common, ...own, 'x-request-id': requestId },
      body: '',
    };
  const toJson = () => (title === undefined ? JSON.stringify(data) : enveloped(true, title, requestId, data));
  return {
    statusCode: status,
    headers: {
      'content-type': type ?? JSON_TYPE,
      ...(gzipped && { 'content-encoding': 'gzip' }),
      ...common,
      ...given,
      ...own,
      'x-request-id': requestId,
    },
    ...(cookies.length > 0 ? { cookies: [...cookies] } : {}),
    ...(gzipped
      ? { body: Buffer.from(gzipped).toString('base64'), isBase64Encoded: true }
      : { body: type === undefined ? toJson() : String(data) }),
  };
}

/** Renders failures as responses of the gateway, and logs those of the service. */
export const refusal = ({ id }: Contract, settings: Settings): EndpointMiddleware => ({
  onError: (request) => {
    const { event } = request.event;
    const { requestId } = event.requestContext;
    const failure = loggedFailure(id, request);
    const { status, text } = FAILURES[failure.code];
    const { code, errors, data, retryAfter, limit, headers } = failure;
    const advice =
      failure.advice ?? (status === 429 && retryAfter !== undefined ? whenToRetry(retryAfter) : undefined);
    request.response = {
      statusCode: status,
      headers: {
        'content-type': JSON_TYPE,
        'cache-control': 'no-store',
        ...(status === 401 ? { 'www-authenticate': challenge(code, event, settings) } : {}),
        ...(retryAfter !== undefined ? { 'retry-after': String(retryAfter) } : {}),
        ...(limit && retryAfter !== undefined ? rateLimit(limit, retryAfter) : {}),
        ...headers,
        'x-request-id': requestId,
      },
      body: enveloped(false, advice ? `${text} ${advice}` : text, requestId, {
        code,
        ...(errors ? { errors } : {}),
        ...data,
      }),
    };
  },
});

/** The failure that answers the error of a request; the log has those of the service. @param id of the contract */
export function loggedFailure(
  id: string,
  {
    error,
    event: context,
  }: Pick<Parameters<NonNullable<EndpointMiddleware['onError']>>[0], 'error' | 'event'>,
): Failure {
  const failure = asFailure(error);
  const { code } = failure;
  if (code === 'internal' || code === 'unavailable')
    log('error', {
      function: id,
      requestId: context.event.requestContext.requestId,
      code,
      error: describe(error, presentedBy(context)),
    });
  return failure;
}

function whenToRetry(seconds: number): string {
  if (seconds < 120) return `Try again in ${seconds} s.`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120
    ? `Try again in ${minutes} minutes.`
    : `Try again in ${Math.ceil(minutes / 60)} hours.`;
}

/**
 * Challenges; RFC 6750 section 3.1 distinguishes a rejected credential from a missing one. Clients that negotiate, such as
 * `curl --anyauth` and `wget --user`, wait for that of Basic. A browser would open a dialog. Clients of OAuth find the token
 * endpoint by the metadata (RFC 9728 section 5.1).
 */
function challenge(code: FailureCode, event: GatewayEvent, settings: Settings) {
  const isRefused = code === 'unauthenticated' && presentsCredential(event);
  const error = isRefused ? ', error="invalid_token"' : '';
  const bearer = `Bearer ${REALM}${error}, resource_metadata="${resourceMetadataOf(settings)}"`;
  return isOfBrowser(event) ? bearer : `${bearer}, Basic ${REALM}`;
}

export const REALM = 'realm="core-account"';

/** Browsers send Fetch Metadata (https://www.w3.org/TR/fetch-metadata/), older ones an origin at least. */
const isOfBrowser = ({ headers }: GatewayEvent) =>
  ['origin', 'sec-fetch-mode', 'sec-fetch-site', 'sec-fetch-dest'].some(
    (name) => headers[name] !== undefined,
  );

/** Headers of an exhausted limit (draft-ietf-httpapi-ratelimit-headers-10, structured fields). */
const rateLimit = ({ name, quota, windowSeconds }: ReachedLimit, retryAfter: number) => ({
  'ratelimit-policy': `"${name}";q=${quota};w=${windowSeconds}`,
  ratelimit: `"${name}";r=0;t=${retryAfter}`,
});

/** Fields of bodies that hold a credential. */
const SECRETS = [
  'password',
  'token',
  'current_password',
  'new_password',
  'code',
  'client_secret',
  'assertion',
  'subject_token',
];

/** All credentials of a request, valid or not. */
function presentedBy({ event, body }: RequestContext): string[] {
  const { headers, rawQueryString, cookies } = event;
  const header = String(headers?.['authorization'] ?? '');
  const presented = header.slice(header.lastIndexOf(' ') + 1);
  const queried = new URLSearchParams(`?${rawQueryString}`).getAll('ptoken');
  const fields = fieldsOf(body);
  return [
    ...[presented, Buffer.from(presented, 'base64').toString(), ...queried].map(withoutUser),
    ...[cookies ?? []].flat().map((cookie) => String(cookie).replace(/^[^=]*=/, '')),
    ...SECRETS.map((name) => fields[name]).filter((secret) => typeof secret === 'string'),
  ];
}

const withoutUser = (credential: string) => credential.replace(/^api:/, '');

/** The answer of a rule, which may be data only. */
export const asAnswer = (response: unknown) => (response instanceof Answer ? response : new Answer(response));

/** Seconds after which a client may retry after an outage. */
const RETRY_AFTER = 5;

/** The failure that answers an error. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (isOutage(error)) return new Failure('unavailable', { retryAfter: RETRY_AFTER });
  const { statusCode } = error as { statusCode?: number };
  // Status of an error of the JSON body parser.
  if (statusCode === 422) return invalid('body', 'Must be well-formed JSON');
  return new Failure('internal');
}
