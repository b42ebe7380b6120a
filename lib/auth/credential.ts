import { API_USERNAME } from '../account/identifiers.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import type { Cause } from '../failure/cause.ts';
import { Failure, invalid } from '../failure/failure.ts';
import { faultOf, isApiToken } from '../text/api-token-form.ts';
import { trimmed } from '../text/trimmed.ts';

/** A credential of a request, not yet verified. */
export interface Credential {
  readonly kind: 'api-token' | 'jwt';
  readonly value: string;
  /** Browsers send it by themselves. */
  readonly isCookie?: true;
  /** Source address of the request; undefined skips the check of addresses. */
  readonly address: string | undefined;
}

const refused = (cause: Cause, advice?: string) =>
  new Failure('unauthenticated', { cause, ...(advice && { advice }) });

/** Where a credential of each form belongs. The form alone decides, so the text tells nothing about a credential. */
const PLACES = {
  'api-token': 'Send an API token as "Authorization: Token <token>", or as the password of the user "api".',
  jwt: 'Send a session token as "Authorization: Bearer <token>".',
  none: 'Send "Authorization: Token <API token>" or "Authorization: Bearer <session token>".',
};

/** The place of a text that was sent elsewhere, by its form. */
function placeOf(value: string): string {
  if (value.startsWith('cst_')) return PLACES['api-token'];
  return JWT.test(value) ? PLACES.jwt : PLACES.none;
}

/**
 * The strongest credential of a request: the Authorization header, otherwise the query parameter `ptoken`, otherwise
 * the cookie `ptoken`. An unusable credential is never replaced by a weaker one.
 *
 * @throws Failure `unauthenticated` without a usable credential, `invalid_request` for a repeated one
 */
export function credentialOf(event: GatewayEvent, allowQueryToken: boolean): Credential {
  return { ...presented(event, allowQueryToken), address: event.requestContext.http.sourceIp };
}

/** The credentials of a request in each of the three places. */
const placesOf = ({ headers, rawQueryString, cookies = [] }: GatewayEvent) => ({
  header: headers?.['authorization'],
  queried: new URLSearchParams(`?${rawQueryString}`).getAll('ptoken'),
  cookies: cookies.filter((cookie) => cookie.startsWith('ptoken=')),
});

/** Whether a request has a credential, in whatever form. */
export function presentsCredential(event: GatewayEvent): boolean {
  const { header, queried, cookies } = placesOf(event);
  return header !== undefined || queried.length + cookies.length > 0;
}

/** The session token in the cookie of a request, not verified; empty without one, or with several. */
export function cookieOf(event: GatewayEvent): string {
  const { cookies } = placesOf(event);
  return cookies.length === 1 ? `${cookies[0]}`.slice('ptoken='.length) : '';
}

type Presented = Omit<Credential, 'address'>;

function presented(event: GatewayEvent, allowQueryToken: boolean): Presented {
  const { header, queried, cookies } = placesOf(event);
  if (header !== undefined && isRepeated(header)) throw invalid('authorization', 'Must have one credential');
  if (queried.length > 1) throw invalid('ptoken', 'Must be sent once');

  if (header !== undefined) return fromHeader(header);
  if (queried[0] !== undefined) {
    if (!allowQueryToken) throw refused('query_token_disabled');
    return fromQuery(queried[0]);
  }
  if (cookies.length === 1) return { ...jwt((cookies[0] as string).slice('ptoken='.length)), isCookie: true };
  if (cookies.length > 0) throw refused('cookie_repeated');
  throw refused('no_credential', placeOf(event.headers['x-api-key'] ?? ''));
}

/**
 * The gateway joins repeated headers with a comma. Credentials of this service contain none; in other schemes a comma
 * precedes a parameter (RFC 9110 section 11.4).
 */
const isRepeated = (header: string) =>
  /^\s*(bearer|token|basic)\b/i.test(header) ? header.includes(',') : /,(?!\s*\w+=)/.test(header);

function fromHeader(header: string): Presented {
  const [, scheme = '', value = ''] = /^(\S+) +(\S+)$/.exec(header.trim()) ?? [];
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return jwt(value);
    case 'token':
      return apiToken(value);
    // The only user is `api`, whose password is an API token (RFC 7617).
    case 'basic': {
      const pair = Buffer.from(value, 'base64');
      const [username = '', ...password] = pair.toString().split(':');
      // Decoding ignores characters outside the alphabet.
      if (pair.toString('base64') !== value || trimmed(username) !== API_USERNAME || password.length === 0)
        throw refused('malformed_credential', PLACES['api-token']);
      return apiToken(asSent(password.join(':')));
    }
    default:
      throw refused(
        scheme === '' ? 'malformed_credential' : 'unknown_scheme',
        placeOf(value || header.trim()),
      );
  }
}

/** A token; OAuth clients percent-encode its `_` (RFC 6749 section 2.3.1). */
function asSent(password: string): string {
  if (isApiToken(password)) return password;
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}

const fromQuery = (value: string): Presented =>
  value.startsWith('api:') ? apiToken(value.slice('api:'.length)) : jwt(value);

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** A credential in a body, whose form shows its kind; an API token may have the prefix `api:`. Undefined for other texts. */
export function credentialIn(text: string): Credential | undefined {
  const value = text.replace(/^api:(?=cst_)/, '');
  const kind = isApiToken(value) ? 'api-token' : JWT.test(value) ? 'jwt' : undefined;
  return kind && { kind, value, address: undefined };
}

function apiToken(value: string): Presented {
  const cause = faultOf(value);
  if (cause) throw refused(cause, JWT.test(value) ? PLACES.jwt : undefined);
  return { kind: 'api-token', value };
}

function jwt(value: string): Presented {
  if (!JWT.test(value))
    throw refused('malformed_credential', value.startsWith('cst_') ? PLACES['api-token'] : undefined);
  return { kind: 'jwt', value };
}
