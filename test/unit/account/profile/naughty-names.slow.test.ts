import NAUGHTY from 'big-list-of-naughty-strings/blns.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { profileUpdateSchema } from '#lib/account/profile/schema';
import { parse } from '#lib/input/parse';
import { refusal } from '../../support/code-of.ts';

const schema = profileUpdateSchema();
const isRefused = (text: string) => refusal(() => parse(schema, { user_first_name: text })) !== undefined;
const refused = NAUGHTY.filter(isRefused);

test('a name keeps a naughty string as it was sent, or refuses it by its field', () => {
  for (const text of NAUGHTY.filter((one) => !refused.includes(one)))
    expect(parse(schema, { user_first_name: text })).toEqual({ user_first_name: text });
  for (const text of refused)
    expect([text, refusal(() => parse(schema, { user_first_name: text }))]).toEqual([
      text,
      { code: 'invalid_request', fields: ['user_first_name'] },
    ]);
});

test('a name refuses only naughty strings that are too long, have control characters or are what a spreadsheet left', () => {
  const others = refused.filter((text) => text.length <= 128 && !/[\p{Cc}\p{Bidi_C}]/u.test(text));
  expect(others).toEqual(['1E+02', '-1E+02']);
});
