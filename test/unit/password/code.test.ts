import { expect, test } from 'vitest';
import { generateCode, hashOfCode } from '#lib/password/code';
import { seededBytes } from '../../names.ts';
import { surrounded } from '../support/unseen.ts';

test('a code has 60 random bits in Crockford base32', () => {
  const codes = Array.from({ length: 2000 }, () => generateCode(seededBytes));
  for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/);
  expect(new Set(codes).size).toBe(codes.length);
  for (const at of [0, 1, 5, 13]) expect(new Set(codes.map((code) => code[at])).size).toBe(32);
});

test.each([
  ['letters', [31, 30]],
  ['digits', [9, 8]],
])(
  'a code that is drawn with %s in each group is drawn again: it could be a reference of people',
  (_what, first) => {
    const drawn = [first, [255, 7]].map((two) =>
      Uint8Array.from({ length: 12 }, (_, at) => two[at % 2] as number),
    );
    expect(generateCode(() => drawn.shift() as Uint8Array)).toBe('Z7Z7-Z7Z7-Z7Z7');
  },
);

const HASH = hashOfCode('0A1B-2C3D-4E5F');

test('a code is stored as the SHA-256 of its digits', () => {
  expect(HASH).toBe('cae45027f41ffb9d1a61a21427bb6631c6afa02a0c38289136ca5776c0d059e0');
});

test.each([
  ['as it was shown', '0A1B-2C3D-4E5F', true],
  ['in lower case', '0a1b-2c3d-4e5f', true],
  ['without dashes', '0A1B2C3D4E5F', true],
  ['with O for 0', 'OA1B-2C3D-4E5F', true],
  ['with o for 0', 'oA1B-2C3D-4E5F', true],
  ['with I for 1', '0AIB-2C3D-4E5F', true],
  ['with l for 1', '0AlB-2C3D-4E5F', true],
  ['with another digit', '0A1B-2C3D-4E5G', false],
  ['with U', '0A1B-2C3D-4E5U', false],
  ['with a digit less', '0A1B-2C3D-4E5', false],
  ['with a digit more', '0A1B-2C3D-4E5FF', false],
  ['with spaces', '0A1B 2C3D 4E5F', true],
  ['with what surrounds it in a message', ' 0A1B-2C3D-4E5F\n', true],
  ['with no-break spaces', '0A1B\u00a02C3D\u00a04E5F', true],
  ['with what nobody sees around it', surrounded('0A1B-2C3D-4E5F'), true],
  ['with dashes around it', '- 0A1B-2C3D-4E5F –', true],
  ['with the dashes of a phone', '0A1B‑2C3D–4E5F', true],
  ['with invisible characters between its groups', '0A1B\u200b-2C3D\u2060-4E5F', true],
  ['with an underscore', '0A1B_2C3D_4E5F', false],
  ['with a NUL', '0A1B-2C3D-4E5F\0', false],
  ['with a letter of another script', '0А1B-2C3D-4E5F', false],
  ['with a letter whose capital is another', '0Aı1-2C3D-4E5F', false],
])('a code is read %s: %j, %s', (_how, text, isSame) => {
  expect(hashOfCode(text) === HASH).toBe(isSame);
});
