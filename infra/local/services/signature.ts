import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long after its time stamp, or before, a post is taken for new. */
const TOLERANCE_SECONDS = 5 * 60;

/** As Standard Webhooks has it: a prefix, and 24 to 64 random bytes in base64. */
const SECRET = /^whsec_([A-Za-z0-9+/]{32,88}={0,2})$/;

/** A new secret for {@link sign} and {@link verify}. */
export const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/** Whether a text can be a secret of {@link sign}: `whsec_`, and 24 to 64 bytes in base64. */
export const isSecret = (text: string) => keyOf(text) !== undefined;

function keyOf(secret: string): Buffer | undefined {
  const [, base64 = ''] = SECRET.exec(secret) ?? [];
  const key = Buffer.from(base64, 'base64');
  return key.length >= 24 && key.length <= 64 && key.toString('base64') === base64 ? key : undefined;
}

/** The headers of a signed post. */
export interface SignedHeaders {
  readonly 'webhook-id': string;
  /** Seconds since the epoch. */
  readonly 'webhook-timestamp': string;
  /** `v1,` and the signature in base64; several are separated by spaces. */
  readonly 'webhook-signature': string;
}

/**
 * Signs a post with HMAC-SHA256 over its id, the time and its body.
 *
 * @param id the same in every attempt to deliver one message
 * @param body as it is sent
 * @param secret of {@link newSecret}, or any that {@link isSecret} takes
 * @param now in milliseconds since the epoch
 * @throws Error where the secret has another form; the message does not contain it
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function sign(id: string, body: string, secret: string, now: number): SignedHeaders {
  const timestamp = String(Math.floor(now / 1000));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature(id, timestamp, body, secret).toString('base64')}`,
  };
}

function signature(id: string, timestamp: string, body: string | Uint8Array, secret: string): Buffer {
  const key = keyOf(secret);
  if (!key) throw new Error('The secret must be whsec_ and 24 to 64 bytes in base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
}

/** A post that is not to be believed. */
export class SignatureRefused extends Error {
  override name = 'SignatureRefused';
}

/**
 * Verifies a post of a subscription: whether who knows the secret has sent this very body, in the last five minutes.
 *
 * Who listens on the way can send the same post again within these five minutes. It has the same `id` then, as every
 * further delivery of the same event has: work that was done for an id is not to be done again.
 *
 * @param headers by their names in lower case, as `node:http` has them, or a `Headers`
 * @param body as it came, before it is parsed: another text of the same JSON has another signature
 * @param secret as `npm start -- --subscribe` has shown it
 * @param options `now` in milliseconds since the epoch; `toleranceSeconds` instead of 300
 * @returns the id of the message, and when it was sent in milliseconds since the epoch
 * @throws SignatureRefused with the reason; Error where the secret has not the form of one
 */
export function verify(
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>,
  body: string | Uint8Array,
  secret: string,
  { now = Date.now(), toleranceSeconds = TOLERANCE_SECONDS } = {},
): { readonly id: string; readonly sentAt: number } {
  const read = (name: keyof SignedHeaders): string => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    if (typeof value !== 'string' || value === '') throw new SignatureRefused(`There is no ${name}`);
    return value;
  };
  const [id, timestamp] = [read('webhook-id'), read('webhook-timestamp')];
  const expected = signature(id, timestamp, body, secret);
  const isMatch = read('webhook-signature')
    .split(' ')
    .some((each) => {
      const [version, base64 = ''] = each.split(',');
      const given = Buffer.from(base64, 'base64');
      return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
    });
  if (!isMatch) throw new SignatureRefused('The signature is of another secret, id, time or body');
  const sentAt = Number(timestamp) * 1000;
  if (!/^\d{1,12}$/.test(timestamp)) throw new SignatureRefused('The time stamp is no number of seconds');
  if (Math.abs(now - sentAt) > toleranceSeconds * 1000)
    throw new SignatureRefused('The time stamp is too far from now: the post is old, or a clock is wrong');
  return { id, sentAt };
}
