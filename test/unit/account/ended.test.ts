import { expect, test } from 'vitest';
import { hasEnded, MAX_ENDED, withEnded } from '#lib/account/ended';
import type { Ended } from '#lib/item/account';
import { CLOCK_SKEW_SECONDS } from '#lib/session/session-token';
import { NOON } from '../support/engine.ts';
import { accountItem } from '../support/items.ts';

const SECONDS = NOON / 1000;
const LIVE: Ended = { at: NOON, until: SECONDS + 3600 };

test.each<[string, readonly (string | undefined)[], number, boolean]>([
  ['its own entry', ['one'], NOON, true],
  ['the entry of its secret', ['two', 'one'], NOON, true],
  ['an entry that begins later', ['one'], NOON - 1, false],
  ['the entry of another', ['two', undefined], NOON, false],
])('hasEnded finds by %s', (_title, ids, now, expected) => {
  expect(hasEnded(accountItem({ ended: { one: LIVE } }), ids, now)).toBe(expected);
  expect(hasEnded(accountItem(), ids, now), 'in an account without entries').toBe(false);
});

test('withEnded keeps the entries whose sessions have not expired, to the second', () => {
  const until = SECONDS - CLOCK_SKEW_SECONDS;
  const ended = { past: { at: 0, until }, skewed: { at: 0, until: until + 1 } };
  expect(withEnded(accountItem({ ended }), { new: LIVE }, 'stamp', NOON)).toEqual({
    ended: { skewed: ended.skewed, new: LIVE },
  });
});

test('withEnded renews the stamp in place of all other entries when they are too many', () => {
  const full = Object.fromEntries(Array.from({ length: MAX_ENDED }, (_, n) => [`${n}`, LIVE]));
  expect(withEnded(accountItem({ ended: full }), { 0: LIVE }, 'stamp', NOON)).toEqual({ ended: full });
  delete full['1'];
  const both = { new: LIVE, former: LIVE };
  expect(withEnded(accountItem({ ended: full }), both, 'stamp', NOON)).toEqual({
    ended: both,
    stamp: 'stamp',
  });
});
