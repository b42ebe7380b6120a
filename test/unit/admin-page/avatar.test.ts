import fc from 'fast-check';
import { h } from 'preact';
import { expect, test } from 'vitest';
import { Avatar, colorsOf, initialsOf } from '../../../infra/admin-page/avatar.tsx';
import { all, show } from './opened.ts';

const LONG = 'Ⓐ'.repeat(64);

test.each([
  [{ user_short: 'ak' }, 'AK'],
  [{ user_short: 'abcdefgh' }, 'ABC'],
  [{ user_short: '', user_first_name: 'Élodie', user_last_name: 'Öz' }, 'ÉÖ'],
  [{ user_short: '\u202e', user_first_name: '<b>' }, 'B'],
  [{ user_short: LONG }, 'BO'],
  [{ user_first_name: null, user_last_name: '李' }, '李'],
  [{}, 'BO'],
])('initialsOf(%j) is %j', (face, initials) => {
  expect(initialsOf({ username: 'bo.b', ...face })).toBe(initials);
});

/** Relative luminance of `#RRGGBB` (WCAG 2.2). */
function luminance(color: string) {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

test('initials have a contrast of at least 4.5 on each colour', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
      const background = `#${number.toString(16).padStart(6, '0')}`;
      const { color = '' } = colorsOf({ user_color: background }) ?? {};
      const [dark = 0, light = 0] = [background, color].map(luminance).toSorted((one, other) => one - other);
      expect((light + 0.05) / (dark + 0.05)).toBeGreaterThanOrEqual(4.5);
    }),
    { seed: 1, numRuns: 1000 },
  );
});

test.each(['red', '#12345', 'red;background:url(//other.example)', '#123456;x', null, undefined])(
  'an avatar has the colour of the page when its own is %j',
  (user_color) => {
    expect(colorsOf({ user_color })).toBeUndefined();
    show(h(Avatar, { of: { username: 'bob', user_color } }));
    expect(all('.avatar')[0]?.getAttribute('style') ?? '').toBe('');
  },
);
