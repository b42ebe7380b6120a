import type { GatewayEvent } from '../contract/gateway-event.ts';
import { OAuthFailure } from './failure.ts';

/** What a client says about itself (RFC 6749 section 2.3.1), empty without it. */
export interface Client {
  readonly id: string;
  readonly secret: string;
  /** Whether it has sent the header in place of the form. */
  readonly isBasic: boolean;
}

/**
 * The client of a request, by the header `Authorization: Basic` or by the form. Headers of other schemes count for nothing, as
 * on all public endpoints.
 *
 * @throws OAuthFailure `invalid_client` for a malformed header, `invalid_request` for two clients
 */
export function clientOf(
  { headers }: Pick<GatewayEvent, 'headers'>,
  {
    client_id = '',
    client_secret = '',
  }: { readonly client_id?: string | undefined; readonly client_secret?: string | undefined },
): Client {
  const [, value] = /^\s*basic\b\s*(\S*)\s*$/i.exec(headers['authorization'] ?? '') ?? [];
  if (value === undefined) return { id: named(client_id), secret: client_secret, isBasic: false };
  const pair = Buffer.from(value, 'base64').toString();
  // Decoding ignores characters outside the alphabet.
  if (!pair.includes(':') || Buffer.from(pair).toString('base64') !== value)
    throw new OAuthFailure(
      'invalid_client',
      'Send the client as "Authorization: Basic" with the base64 of <client>:<secret>, or in the form.',
      {
        cause: 'malformed_credential',
        challenges: true,
      },
    );
  const colon = pair.indexOf(':');
  const basic = {
    id: named(decoded(pair.slice(0, colon))),
    secret: decoded(pair.slice(colon + 1)),
    isBasic: true,
  };
  if (client_secret !== '' || (client_id !== '' && named(client_id) !== basic.id))
    throw new OAuthFailure('invalid_request', 'Send one client, in the header or in the form.');
  return basic;
}

/** The name of a client. Forms read `+` as a space, which no name contains: it is the `+` of a client that encodes nothing. */
const named = (text: string) => text.replaceAll(' ', '+');

/** A part of the header, which some clients percent-encode, and others do not. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
