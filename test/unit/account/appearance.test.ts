import { expect, test } from 'vitest';
import { colorFor, initialsFor } from '#lib/account/appearance';

test.each([
  ['ada', '#3F51B5'],
  ['Ada.Lovelace', '#9C2F4A'],
])('colorFor returns the same colour for %s in any case', (username, color) => {
  for (const name of [username, username.toLowerCase(), username.toUpperCase()])
    expect(colorFor(name)).toBe(color);
});

test('colorFor returns one of 16 colours, all with a contrast of 4.5 with white', () => {
  const colors = new Set(Array.from({ length: 1000 }, (_, n) => colorFor(`user-${n}`)));
  expect(colors.size).toBe(16);
  for (const color of colors) {
    const [red, green, blue] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    }) as [number, number, number];
    const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    expect(1.05 / (luminance + 0.05), color).toBeGreaterThanOrEqual(4.5);
  }
});

test.each([
  [{ user_first_name: 'ada', user_last_name: 'lovelace' }, 'AL'],
  [{ user_first_name: 'ada' }, 'A'],
  [{ user_first_name: '  ', user_last_name: '\tlovelace ' }, 'L'],
  [{ user_first_name: '𝒜da', user_last_name: 'łovelace' }, '𝒜Ł'],
  [{ user_first_name: ' ', user_last_name: ' ' }, 'ZO'],
  [{}, 'ZO'],
])('initialsFor zoe with %j returns %s', (names, initials) => {
  expect(initialsFor({ username: 'zoe', ...names })).toBe(initials);
});
