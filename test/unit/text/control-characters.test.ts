import { expect, test } from 'vitest';
import { escapeControls, PLAIN } from '#lib/text/control-characters';

const CONTROLS = '\0\t\n\r\x1b\x1f\x7f\x80\x85\x9b\x9f\u202a\u202e\u2066\u2069';

test.each([...CONTROLS].map((control) => [JSON.stringify(escapeControls(control)), control]))(
  'a text with %s is not plain, and shows it escaped',
  (_shown, control) => {
    expect(PLAIN.test(`a${control}b`)).toBe(false);
    expect(escapeControls(control)).toMatch(/^\\u[0-9a-f]{4}$/);
    expect(JSON.parse(`"${escapeControls(control)}"`)).toBe(control);
  },
);

test.each(['', ' ', 'Ada Lovelace', '~ \xa0', 'Zoë 王 🦊', '\\u0000', '\u2029\u202f\u2065\u206a'])(
  'a text without control characters is plain, and shown as it is: %j',
  (text) => {
    expect(PLAIN.test(text)).toBe(true);
    expect(escapeControls(text)).toBe(text);
  },
);

test('escapeControls keeps the value of JSON', () => {
  const value = { name: `x"\\${CONTROLS}` };
  const json = escapeControls(JSON.stringify(value));
  expect(JSON.parse(json)).toEqual(value);
  expect(PLAIN.test(json)).toBe(true);
});
