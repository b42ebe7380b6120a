import { expect, test } from 'vitest';
import type { PublicKeyItem } from '#lib/item/instance';
import { chooseKey } from '#lib/session/choose-key';
import type { KeyVersion } from '#lib/session/key-version';
import { JWKS_MAX_AGE_SECONDS, LEAD_MS } from '#lib/session/lead';
import { jwks } from '#lib/system/contracts';
import { NOON } from '../support/engine.ts';

const SECONDS = NOON / 1000;
const KNOWN = SECONDS - LEAD_MS / 1000;
const LONGEST = 720 * 3600;

const key = (kid: string): KeyVersion => ({ jwk: { kid, kty: 'EC' }, secret: 'arn', version: kid });
const item = (kid: string, more: Partial<PublicKeyItem>): PublicKeyItem => ({
  jwk: { kid, kty: 'EC' },
  published_at: KNOWN,
  ...more,
});

/** What the table says of the current key and of the one that has signed so far; undefined where it has no such key. */
type Case = [string, Partial<PublicKeyItem> | undefined, Partial<PublicKeyItem> | undefined, string];

test.each<Case>([
  ['the current one once it is known', {}, {}, 'current'],
  ['the one before, a second earlier', { published_at: KNOWN + 1 }, {}, 'signing'],
  ['the current one where nobody noted its publication', { published_at: undefined }, {}, 'current'],
  ['the current one at once where it is the first', { published_at: SECONDS }, undefined, 'current'],
  [
    'the current one at once where the one before is revoked',
    { published_at: SECONDS },
    { revoked_at: 1, expires_at: 0 },
    'current',
  ],
  ['the one before where the current one is revoked', { revoked_at: 1, expires_at: 0 }, {}, 'signing'],
  [
    'the one before where the current one is revoked, and does not say when it expires',
    { revoked_at: 1 },
    {},
    'signing',
  ],
  ['the one before where the current one is not published', undefined, {}, 'signing'],
  [
    'the one before, retired, while its longest token verifies',
    { published_at: SECONDS },
    { expires_at: SECONDS + LONGEST },
    'signing',
  ],
  [
    'the current one where a token of the one before would not',
    { published_at: SECONDS },
    { expires_at: SECONDS + LONGEST - 1 },
    'current',
  ],
  ['none where each is revoked', { revoked_at: 1, expires_at: 0 }, { revoked_at: 1, expires_at: 0 }, 'none'],
  ['none where none is published', undefined, undefined, 'none'],
])('there signs %s', (_name, current, signing, expected) => {
  const items = [
    ...(current ? [item('current', current)] : []),
    ...(signing ? [item('signing', signing)] : []),
    item('other', {}),
  ];
  expect(chooseKey(key('current'), key('signing'), items, NOON)?.jwk.kid ?? 'none').toBe(expected);
});

test('a verifier has a key for a minute before it signs, however long it keeps the published ones', () => {
  expect(jwks.headers['cache-control']).toBe(`public, max-age=${JWKS_MAX_AGE_SECONDS}`);
  expect(LEAD_MS).toBe((JWKS_MAX_AGE_SECONDS + 60) * 1000);
});
