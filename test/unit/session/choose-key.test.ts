import { expect, test } from 'vitest';
import { MAX_EXPIRE_HOURS } from '#lib/instance/settings';
import type { PublicKeyItem } from '#lib/item/instance';
import { chooseKey } from '#lib/session/choose-key';
import type { KeyVersion } from '#lib/session/key-version';
import { CHECK_MS, HELD_MS, JWKS_MAX_AGE_SECONDS, LEAD_MS } from '#lib/session/lead';
import { MISS_MS } from '#lib/session/public-keys';
import { contract as jwks } from '#lib/system/jwks.contract';
import { NOON } from '../support/engine.ts';

const SECONDS = NOON / 1000;
const KNOWN = SECONDS - LEAD_MS / 1000;
const LONGEST = MAX_EXPIRE_HOURS * 3600;
const NEW = { published_at: SECONDS };
const REVOKED = { revoked_at: 1, expires_at: 0 };

const key = (kid: string): KeyVersion => ({ jwk: { kid, kty: 'EC' }, secret: 'arn', version: kid });
const item = (kid: string, more: Partial<PublicKeyItem>): PublicKeyItem => ({
  jwk: { kid, kty: 'EC' },
  published_at: KNOWN,
  ...more,
});

/** The current key in the table, and the one that signs so far; undefined without one. */
type Case = [string, string, Partial<PublicKeyItem> | undefined, Partial<PublicKeyItem> | undefined];

test.each<Case>([
  ['current', 'the current key is known', {}, {}],
  ['signing', 'the current key is known in a second', { published_at: KNOWN + 1 }, {}],
  ['current', 'the current key has no time of publication', { published_at: undefined }, {}],
  ['current', 'the current key is the first', NEW, undefined],
  ['current', 'the key before is revoked', NEW, REVOKED],
  ['signing', 'the current key is revoked', REVOKED, {}],
  ['signing', 'the current key is revoked and has no expiry', { revoked_at: 1 }, {}],
  ['signing', 'the current key is not published', undefined, {}],
  ['signing', 'the key before outlives its longest token', NEW, { expires_at: SECONDS + LONGEST }],
  ['current', 'the key before dies earlier', NEW, { expires_at: SECONDS + LONGEST - 1 }],
  ['none', 'each is revoked', REVOKED, REVOKED],
  ['none', 'none is published', undefined, undefined],
])('chooseKey chooses %s when %s', (expected, _when, current, signing) => {
  const items = [
    ...(current ? [item('current', current)] : []),
    ...(signing ? [item('signing', signing)] : []),
    item('other', {}),
  ];
  expect(chooseKey(key('current'), key('signing'), items, NOON)?.jwk.kid ?? 'none').toBe(expected);
});

test('the times of keys are these, and a verifier has a key for a minute before it signs', () => {
  const seconds = [LEAD_MS, HELD_MS, CHECK_MS, MISS_MS].map((ms) => ms / 1000);
  expect(seconds).toEqual([JWKS_MAX_AGE_SECONDS + 60, 300, 5, 1]);
  expect(jwks.headers['cache-control']).toBe(`public, max-age=${JWKS_MAX_AGE_SECONDS}`);
});
