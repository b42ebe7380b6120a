import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { get as getWithoutTls, type IncomingMessage } from 'node:http';
import { get } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { JSONWebKeySet, JWK } from 'jose';
import { isPublic } from '../network/addresses.ts';
import { hasAddress, isLocal, MAX_KEYS } from './issuers.ts';
import { faultOfKey, reduced } from './public-keys.ts';

/** Limit of both documents of an issuer together, from the look-up of the name to the last byte. */
export const FETCH_MS = 5000;

/** Limit of each document, in bytes. */
export const MAX_DOCUMENT_BYTES = 100_000;

export type Fetched =
  | { readonly jwks: JSONWebKeySet; readonly fault?: undefined }
  | { readonly jwks?: undefined; readonly fault: string };

/** Why keys were not fetched, without any text that the issuer has sent. */
class Fault extends Error {}

type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/**
 * Fetches the keys of an issuer that its metadata name (OpenID Connect Discovery 1.0). Redirects are not followed, and all
 * addresses must be public, except those of an issuer at localhost.
 *
 * @param issuer its identifier
 * @param resolve finds the addresses of a host
 */
export async function fetchKeys(
  issuer: string,
  resolve: Resolve = (host) => lookup(host, { all: true }),
): Promise<Fetched> {
  const signal = AbortSignal.timeout(FETCH_MS);
  const read = (what: string, url: URL) =>
    documentAt(url, publicOnly(resolve), signal).catch(reworded(what, signal));
  try {
    // A final slash belongs to the identifier, but not to this path (section 4.1).
    const base = issuer.replace(/\/$/, '');
    const metadata = await read('Metadata', new URL(`${base}/.well-known/openid-configuration`));
    if (metadata['issuer'] !== issuer) throw new Fault('Metadata: names another issuer');
    const { keys } = await read('Keys', keysUrl(metadata['jwks_uri'], isLocal(issuer)));
    return { jwks: { keys: usableIn(keys) } };
  } catch (error) {
    if (error instanceof Fault) return { fault: error.message };
    throw error;
  }
}

/** Argument of `catch` that names the document, and the limit that ended the connection. */
const reworded = (what: string, signal: AbortSignal) => (error: unknown) => {
  if (signal.aborted) throw new Fault(`${what}: no complete answer within ${FETCH_MS / 1000} s`);
  const { code = 'the connection failed' } = error as { readonly code?: string };
  throw new Fault(`${what}: ${error instanceof Fault ? error.message : code}`);
};

/** @param allowsLocal whether the keys may be at localhost, too */
function keysUrl(uri: unknown, allowsLocal: boolean): URL {
  if (typeof uri !== 'string' || !URL.canParse(uri)) throw new Fault('Metadata: jwks_uri is no URL');
  const url = new URL(uri);
  if (url.username || url.password) throw new Fault('Metadata: jwks_uri has a user or a password');
  if (allowsLocal && isLocal(url.href)) return url;
  if (url.protocol !== 'https:') throw new Fault('Metadata: jwks_uri is not https');
  if (url.port) throw new Fault('Metadata: jwks_uri has another port than 443');
  if (hasAddress(url)) throw new Fault('Metadata: jwks_uri has an IP address as its host');
  return url;
}

/** The keys that can verify: an issuer may have keys for other purposes. */
function usableIn(keys: unknown): JWK[] {
  if (!Array.isArray(keys)) throw new Fault('Keys: no list of keys');
  if (keys.length > MAX_KEYS) throw new Fault(`Keys: more than ${MAX_KEYS} keys`);
  const usable = (keys as JWK[]).filter((key) => faultOfKey(key) === undefined).map(reduced);
  if (usable.length === 0) throw new Fault('Keys: no usable key');
  return usable;
}

/**
 * A look-up for one connection: what it checks is what the socket connects to, so a second answer of the name server
 * cannot lead elsewhere.
 */
const publicOnly =
  (resolve: Resolve): LookupFunction =>
  (host, { all }, callback) => {
    const answer = (addresses: readonly LookupAddress[]) => {
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => isPublic(address)))
        callback(new Fault('the host has an address that is not public'), '');
      else if (all) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    };
    resolve(host).then(answer, (error: Error) => callback(error, ''));
  };

async function documentAt(
  url: URL,
  lookup: LookupFunction,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await answerOf(url, lookup, signal);
  if (response.statusCode !== 200) {
    response.destroy();
    throw new Fault(`status ${response.statusCode}`);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  // An early end of the loop closes the connection.
  for await (const chunk of response) {
    size += chunk.length;
    if (size > MAX_DOCUMENT_BYTES) throw new Fault(`more than ${MAX_DOCUMENT_BYTES / 1000} kB`);
    chunks.push(chunk);
  }
  const document = jsonIn(Buffer.concat(chunks).toString());
  if (typeof document !== 'object' || document === null) throw new Fault('no JSON object');
  return document as Record<string, unknown>;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Without a pool: a connection that is kept would be dead after Lambda has frozen the function. */
const answerOf = (url: URL, lookup: LookupFunction, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { accept: 'application/json', 'accept-encoding': 'identity' };
    const options = { signal, agent: false, headers };
    const request = isLocal(url.href)
      ? getWithoutTls(url, options, resolve)
      : get(url, { ...options, lookup }, resolve);
    request.on('error', reject);
  });
