import { describe, expect, test } from 'vitest';
import { fieldsOf, filledIn, SHOWN, shownFields, UNFILLED } from '#lib/item/fields';

const { shape } = filledIn();
const refusalOf = (name: keyof typeof shape, value: unknown) =>
  shape[name].safeParse(value).error?.issues.map(({ message }) => message);

test('what stands in a field until somebody fills it in is valid in it', () => {
  expect(filledIn().safeParse(UNFILLED)).toEqual({ success: true, data: UNFILLED });
  expect(UNFILLED).toEqual({
    phonenumber: '',
    user_first_name: '',
    user_last_name: '',
    user_color: '#455A64',
    user_short: '',
    user_currency: 'EUR',
  });
});

test.each([
  ['phonenumber', 64],
  ['user_first_name', 128],
  ['user_last_name', 128],
  ['user_short', 8],
] as const)('%s has at most %i characters', (name, max) => {
  expect(refusalOf(name, '')).toBeUndefined();
  expect(refusalOf(name, 'x'.repeat(max))).toBeUndefined();
  expect(refusalOf(name, 'x'.repeat(max + 1))).toEqual([`Must be at most ${max} characters`]);
});

describe('a colour', () => {
  test.each(['#1A2B3C', '#abcdef', '#000000'])('may be %s', (color) => {
    expect(refusalOf('user_color', color)).toBeUndefined();
  });

  test.each(['', '#12345', '#1234567', '1A2B3C', '#12345G', 'x#123456', '#123456\n', '#123'])(
    'may not be %j',
    (color) => {
      expect(refusalOf('user_color', color)).toEqual(['Must be a colour such as #1A2B3C']);
    },
  );
});

describe('a currency', () => {
  test.each(['EUR', 'USD', 'ZZZ'])('may be %s', (currency) => {
    expect(refusalOf('user_currency', currency)).toBeUndefined();
  });

  test.each(['', 'EU', 'EURO', 'eur', 'E1R', ' EUR', 'EUR '])('may not be %j', (currency) => {
    expect(refusalOf('user_currency', currency)).toEqual(['Must be an ISO 4217 code such as EUR']);
  });
});

test('a field that nobody fills in is refused', () => {
  expect(filledIn().safeParse({ ...UNFILLED, id: 'x' }).success).toBe(false);
});

test('the profile and the directory show these fields as they stand', () => {
  const shown = {
    username: 'ada',
    emailconfirmed: false,
    ...UNFILLED,
    team_id: '',
    team_name: '',
    user_app_name: 'core',
    user_home: null,
  };
  expect(shownFields().parse(shown)).toEqual(shown);
  expect(Object.keys(shownFields().shape)).toEqual(Object.keys(shown));
  expect(SHOWN).toEqual(Object.keys(shown));
  expect(Object.keys(filledIn().shape)).toEqual(Object.keys(UNFILLED));
  expect(shownFields().safeParse({ ...shown, user_home: '/home' }).success).toBe(true);
  expect(shownFields().safeParse({ ...shown, user_home: undefined }).success).toBe(false);
  expect(shownFields().safeParse({ ...shown, id: 'x' }).success).toBe(false);
});

describe('the fields of an item', () => {
  const fields = fieldsOf<{ user_short: string; n: number; user_color: string }>([
    'user_short',
    'n',
    'user_color',
  ]);

  test('are those of the names, in their order', () => {
    const taken = fields({ user_color: '#000000', PK: 'x', n: 1, user_short: 'A' });
    expect(JSON.stringify(taken)).toBe('{"user_short":"A","n":1,"user_color":"#000000"}');
  });

  test('are as unfilled where the item is older than they are', () => {
    expect(fields({ n: 1 })).toEqual({ user_short: '', n: 1, user_color: '#455A64' });
  });
});
