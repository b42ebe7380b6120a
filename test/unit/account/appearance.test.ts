import { describe, expect, test } from 'vitest';
import { colorFor, initialsFor } from '#lib/account/appearance';

describe('the colour of an account', () => {
  test.each([
    ['ada', '#3F51B5'],
    ['grace', '#1F5F8B'],
    ['alan', '#455A64'],
    ['Ada.Lovelace', '#9C2F4A'],
    ['LINUS', '#2F4B9C'],
  ])('of %s is %s always, in any case', (username, color) => {
    for (const name of [username, username.toLowerCase(), username.toUpperCase()])
      expect(colorFor(name)).toBe(color);
  });

  test('is one of 16, all dark enough for white letters', () => {
    const colors = new Set(Array.from({ length: 1000 }, (_, n) => colorFor(`user-${n}`)));
    expect(colors.size).toBe(16);
    for (const color of colors) {
      const [red, green, blue] = [1, 3, 5].map((at) => {
        const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      }) as [number, number, number];
      expect(1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05), color).toBeGreaterThanOrEqual(
        4.5,
      );
    }
  });
});

describe('the initials of an account', () => {
  test.each([
    ['of both names', { user_first_name: 'ada', user_last_name: 'lovelace' }, 'AL'],
    ['of the first name alone', { user_first_name: 'ada' }, 'A'],
    ['of the last name alone', { user_first_name: '', user_last_name: 'lovelace' }, 'L'],
    ['of names after spaces', { user_first_name: '  ada', user_last_name: '\tlovelace ' }, 'AL'],
    ['of letters beyond 16 bits', { user_first_name: '𝒜da', user_last_name: 'łovelace' }, '𝒜Ł'],
    ['else the first two letters of the username', {}, 'ZO'],
    ['also where the names are of spaces', { user_first_name: ' ', user_last_name: ' ' }, 'ZO'],
  ])('are %s', (_what, names, initials) => {
    expect(initialsFor({ username: 'zoe', ...names })).toBe(initials);
  });
});
