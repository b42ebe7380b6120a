import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { newFields } from '#lib/account/new-fields';
import { profileUpdateSchema } from '#lib/account/profile/schema';
import { fieldsOf, filledIn, UNFILLED } from '#lib/item/fields';
import { membershipSchema, teamSchema } from '#lib/item/team';
import { DESTROYED } from '#lib/text/destroyed';
import { errorsOf, expectExactFields, fieldsAtFault } from '../support/errors-of.ts';
import { membership } from '../support/items.ts';

const MESSAGES = {
  user_color: 'Must be a colour such as #1A2B3C',
  user_currency: 'Must be an ISO 4217 code such as EUR',
};
const errorsWith = (field: string, value: string) => errorsOf(filledIn(), { ...UNFILLED, [field]: value });

test('filledIn has exactly these fields, and their values in a new account are valid', () => {
  expectExactFields(filledIn(), UNFILLED);
  expect(Object.keys(filledIn().shape)).toEqual(Object.keys(UNFILLED));
  expect(UNFILLED).toMatchObject({ phonenumber: '', user_color: '#455A64', user_currency: 'EUR' });
});

test.each([
  ['phonenumber', 64],
  ['user_first_name', 128],
  ['user_last_name', 128],
  ['user_short', 8],
])('%s has at most %i characters, and no control characters', (field, max) => {
  expect(errorsWith(field, 'x'.repeat(max))).toEqual([]);
  const message = `Must have at most ${max} characters`;
  expect(errorsWith(field, 'x'.repeat(max + 1))).toEqual([{ field, message }]);
  for (const value of ['a\nb', '\x1b[2J', '\x9b', '\u202e'])
    expect(errorsWith(field, value)).toEqual([{ field, message: 'Must not have control characters' }]);
});

test.each(['phonenumber', 'user_first_name', 'user_last_name', 'user_short'])(
  '%s refuses what a spreadsheet has left of another value',
  (field) => {
    for (const value of ['#N/A', '#####', '1E+11', 'Err:502'])
      expect(errorsWith(field, value)).toEqual([{ field, message: DESTROYED }]);
    for (const value of ['#1', '+49 30', '1E5', 'E+1', 'N/A', 'Anna!', 'Err', 'NV', '#'])
      expect(errorsWith(field, value)).toEqual([]);
  },
);

test.each(['#N/A', '4.91712E+11', '4,91712E+11', '#####'])(
  'a new account cannot be named %j, what a spreadsheet has left of a name; accounts with such names can be reached',
  (username) => {
    expect(errorsOf(newFields(), { username })).toEqual([{ field: 'username', message: DESTROYED }]);
    const others = errorsOf(profileUpdateSchema(), { username }).map(({ message }) => message);
    expect(others).not.toContain(DESTROYED);
  },
);

test('one value has one fault, even if it breaks several rules', () => {
  const broken = `${'x'.repeat(200)}\n`;
  const fields = { username: `cst_ ${broken}`, user_first_name: broken, user_last_name: broken };
  expect(fieldsAtFault(newFields(), fields)).toEqual(['user_first_name', 'user_last_name', 'username']);
});

test.each<[keyof typeof MESSAGES, string[], string[]]>([
  [
    'user_color',
    ['#1A2B3C', '#abcdef', '#000000'],
    ['', '#12345', '#1234567', '1A2B3C', '#12345G', 'x#123456', '#123456\n', '#123'],
  ],
  ['user_currency', ['EUR', 'USD', 'ZZZ'], ['', 'EU', 'EURO', 'eur', 'E1R', ' EUR', 'EUR ']],
])('%s accepts %j and refuses %j', (field, valid, invalid) => {
  for (const value of valid) expect(errorsWith(field, value)).toEqual([]);
  for (const value of invalid)
    expect(errorsWith(field, value)).toEqual([{ field, message: MESSAGES[field] }]);
});

test('fieldsOf takes the named fields of an item in their order, and defaults for fields it lacks', () => {
  const take = fieldsOf(() => z.object({ user_short: z.string(), n: z.int(), user_color: z.string() }));
  const taken = JSON.stringify(take({ user_color: '#000000', PK: 'x', n: 1, user_short: 'A' }));
  expect(taken).toBe('{"user_short":"A","n":1,"user_color":"#000000"}');
  expect(take({ n: 1 })).toEqual({ user_short: '', n: 1, user_color: '#455A64' });
});

test('a team has a UUID, and a membership may have a level', () => {
  const { teamuser_lvl: _, ...team } = membership(1);
  expect(fieldsAtFault(teamSchema(), { ...team, team_id: 'core' })).toEqual(['team_id']);
  expect(errorsOf(membershipSchema(), membership(1, { teamuser_lvl: 'admin' }))).toEqual([]);
});
