import { expect, test } from 'vitest';
import { MAX_EXPIRE_HOURS } from '#lib/instance/settings';
import type { PublicKeyItem } from '#lib/item/instance';
import { contract as resourceJwks } from '#lib/oauth/jwks.contract';
import { RESOURCE_KEYS } from '#lib/resource/key-use';
import { MAX_RESOURCE_MINUTES } from '#lib/resource/resources';
import { chooseKey, signsNext } from '#lib/session/choose-key';
import type { KeyVersion } from '#lib/session/key-version';
import {
  CHECK_MS,
  GATEWAY_CACHE_SECONDS,
  HELD_MS,
  JWKS_MAX_AGE_SECONDS,
  LEAD_MS,
  RESOURCE_LEAD_MS,
} from '#lib/session/lead';
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

const KNOWN_TO_GATEWAYS = { published_at: SECONDS - RESOURCE_LEAD_MS / 1000 };
const NEARLY = { published_at: SECONDS - RESOURCE_LEAD_MS / 1000 + 1 };
const LONGEST_FOR_OTHERS = MAX_RESOURCE_MINUTES * 60;

/** The same of keys for other services, with a key of another secret; and the time until the first one signs. */
type CaseForOthers = [...Case, Partial<PublicKeyItem> | undefined, number | undefined];

test.each<CaseForOthers>([
  ['signing', 'gateways know both', KNOWN_TO_GATEWAYS, KNOWN_TO_GATEWAYS, KNOWN_TO_GATEWAYS, undefined],
  ['current', 'the key that signs is revoked', KNOWN_TO_GATEWAYS, REVOKED, undefined, undefined],
  ['current', 'gateways may lack the key that signs', KNOWN_TO_GATEWAYS, NEARLY, undefined, undefined],
  ['current', 'the key that signs is not published', KNOWN_TO_GATEWAYS, undefined, undefined, undefined],
  [
    'current',
    'the key that signs dies before its longest token',
    KNOWN_TO_GATEWAYS,
    { ...KNOWN_TO_GATEWAYS, expires_at: SECONDS + LONGEST_FOR_OTHERS - 1 },
    undefined,
    undefined,
  ],
  [
    'signing',
    'the key that signs is retired, and outlives its longest token',
    KNOWN_TO_GATEWAYS,
    { ...KNOWN_TO_GATEWAYS, expires_at: SECONDS + LONGEST_FOR_OTHERS },
    undefined,
    undefined,
  ],
  ['signing', 'both are the first of an instance', NEW, NEW, undefined, undefined],
  ['current', 'both are new and the one that signs is revoked', NEW, REVOKED, undefined, undefined],
  ['signing', 'the key of the other secret is as new', NEW, NEW, NEARLY, undefined],
  ['signing', 'the key of the other secret is revoked', NEW, NEW, REVOKED, undefined],
  [
    'signing',
    'the key of the other secret dies before its longest token',
    NEW,
    NEW,
    { ...KNOWN_TO_GATEWAYS, expires_at: SECONDS + LONGEST_FOR_OTHERS - 1 },
    undefined,
  ],
  ['none', 'gateways know only the key of another secret', NEW, NEARLY, KNOWN_TO_GATEWAYS, 1],
  [
    'none',
    'the same, and the one that signs is revoked',
    NEW,
    REVOKED,
    KNOWN_TO_GATEWAYS,
    RESOURCE_LEAD_MS / 1000,
  ],
  ['none', 'both are revoked', REVOKED, REVOKED, KNOWN_TO_GATEWAYS, undefined],
])('chooseKey chooses %s for other services when %s', (expected, _when, current, signing, other, waits) => {
  const own = { secret_id: 'arn' };
  const items = [
    ...(current ? [item('current', { ...own, ...current })] : []),
    ...(signing ? [item('signing', { ...own, ...signing })] : []),
    ...(other ? [item('other', { secret_id: 'arn:other', ...other })] : []),
  ];
  const ring = [key('current'), key('signing')] as const;
  expect(chooseKey(...ring, items, NOON, RESOURCE_KEYS)?.jwk.kid ?? 'none').toBe(expected);
  if (expected === 'none')
    expect(signsNext(ring, items, NOON, RESOURCE_KEYS)).toBe(waits && NOON + waits * 1000);
});

test('chooseKey waits for no other key of its own secret', () => {
  const items = [
    item('current', { secret_id: 'arn', ...NEW }),
    item('old', { secret_id: 'arn', ...KNOWN_TO_GATEWAYS }),
  ];
  expect(chooseKey(key('current'), undefined, items, NOON, RESOURCE_KEYS)?.jwk.kid).toBe('current');
});

test('gateways have a key before it signs, even if they fetch through a cache of a few minutes', () => {
  expect([RESOURCE_LEAD_MS / 1000, GATEWAY_CACHE_SECONDS]).toEqual([7800, 7200]);
  const [, seconds] = /^public, max-age=\d+, s-maxage=(\d+)$/.exec(
    resourceJwks.headers['cache-control'],
  ) as string[];
  expect(GATEWAY_CACHE_SECONDS + Number(seconds)).toBeLessThan(RESOURCE_LEAD_MS / 1000);
});

test('the times of keys are these, and a verifier has a key for a minute before it signs', () => {
  const seconds = [LEAD_MS, HELD_MS, CHECK_MS, MISS_MS].map((ms) => ms / 1000);
  expect(seconds).toEqual([JWKS_MAX_AGE_SECONDS + 60, 300, 5, 1]);
  expect(jwks.headers['cache-control']).toBe(`public, max-age=${JWKS_MAX_AGE_SECONDS}`);
});
