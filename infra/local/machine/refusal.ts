import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from './service-error.ts';

/** Credentials of the SDK; those of a role have a session token too. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** Credentials that nobody else knows: the access key has the form of AWS's, and 120 random bits. */
export const newCredentials = (): Credentials => ({
  accessKeyId: `LOCAL${randomBytes(15).toString('hex').toUpperCase()}`,
  secretAccessKey: randomBytes(30).toString('base64url'),
});

/** What the SDK sends with every call. */
const ACCESS_KEY = /^AWS4-HMAC-SHA256 Credential=([^/,\s]+)\//;

/** A name that a page has pointed at loopback (DNS rebinding) is another. */
const LOOPBACK = /^(127\.0\.0\.1|localhost)(:\d+)?$/;

/**
 * Why a service on loopback refuses a request; undefined where it does not. Every program and every web page on this
 * machine can reach loopback, so what counts is the access key, which is secret here. Signatures are not verified.
 */
export function refusal(
  { authorization, host, origin }: IncomingHttpHeaders,
  accessKeyId: string,
): ServiceError | undefined {
  if (origin !== undefined || !LOOPBACK.test(host ?? ''))
    return new ServiceError('AccessDeniedException', 'Web pages are not answered.', 403);
  const [, presented] = ACCESS_KEY.exec(authorization ?? '') ?? [];
  if (presented === undefined)
    return new ServiceError('MissingAuthenticationTokenException', 'Request is missing Authentication Token');
  return presented === accessKeyId
    ? undefined
    : new ServiceError(
        'UnrecognizedClientException',
        'The security token included in the request is invalid.',
      );
}
