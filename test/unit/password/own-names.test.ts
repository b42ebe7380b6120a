import { expect, test } from 'vitest';
import { newPassword } from '#lib/password/hash';
import { MIN_BYTES } from '#lib/password/length';
import { refuseOwnNames } from '#lib/password/own-names';
import { refusal } from '../support/code-of.ts';
import { accountItem } from '../support/items.ts';

interface Row {
  readonly what: string;
  readonly username?: string;
  readonly first?: string;
  readonly last?: string;
  readonly short?: string;
  readonly password: string;
}
const EMAIL = 'ada.king@example.com';
const REST = '1234567';

const WEAK: Row[] = [
  { what: 'the username', username: 'kingfisher', password: `kingfisher${REST}` },
  { what: 'the first name', first: 'Augusta', password: `augusta${REST}` },
  { what: 'the last name', last: 'Lovelace', password: `lovelace${REST}` },
  { what: 'the short name', short: 'AdLo', password: `adlo${REST}` },
  { what: 'the first part of an e-mail address', username: 'king@example.com', password: 'king-1815' },
  { what: 'a middle part of an e-mail address', username: EMAIL, password: 'king-1815' },
  { what: 'the domain of an e-mail address', username: EMAIL, password: 'example-1815' },
  { what: 'all of an e-mail address', username: EMAIL, password: 'Ada.King@Example.com' },
  { what: 'a username of short parts', username: 'a.b.c.d.e.f.g.h', password: 'a.b.c.d.e.f.g.h-1815' },
  { what: 'the first of two first names', first: 'Augusta Ada', password: 'augusta-1815' },
  { what: 'the last of two first names', first: 'Ada Maria', password: 'maria-1815' },
  { what: 'a part with digits', username: 'x.ada1815', password: 'ada1815-1234' },
  { what: 'a part with an umlaut', last: 'von Müller', password: 'müller-1815' },
  { what: 'a name of four letters', first: 'Jane', password: 'jane-1815' },
  { what: 'a name in capitals', last: 'LOVELACE', password: 'lovelace-1815' },
  { what: 'a name that the password has in capitals', last: 'lovelace', password: 'LOVELACE-1815' },
  { what: 'a name in full-width letters', last: 'Ｌｏｖｅｌａｃｅ', password: 'lovelace-1815' },
  {
    what: 'a name that the password has in full-width letters',
    last: 'Lovelace',
    password: 'ｌｏｖｅｌａｃｅ-1815',
  },
  { what: 'a name with a combining diaeresis', first: 'Chloe\u0308', password: 'chlo\u00eb-1815' },
  { what: 'a name three times', last: 'Lovelace', password: 'lovelacelovelacelovelace' },
  { what: 'two names', first: 'Maria', last: 'Lovelace', password: 'maria.lovelace' },
  { what: 'a name inside of it', last: 'Lovelace', password: '18lovelace15' },
  {
    what: 'a name that begins with another one',
    first: 'Anna',
    last: 'Annabella',
    password: 'annabella-1815',
  },
  {
    what: 'a name that ends with another one',
    first: 'Bella',
    last: 'Annabella',
    password: 'annabella-1815',
  },
];

const STRONG: Row[] = [
  { what: 'no name', last: 'Lovelace', password: 'correct horse' },
  { what: 'enough in addition to a name', last: 'Lovelace', password: `lovelace${REST}8` },
  { what: 'enough bytes in addition to a name', last: 'Lovelace', password: 'lovelaceéééé' },
  { what: 'a name of three letters', first: 'Ada', password: 'ada-1815' },
  { what: 'a part of three letters', username: 'ada.b@example.com', password: 'ada-1815' },
  { what: 'part of a name', last: 'Lovelace', password: 'love-1815' },
  { what: 'names that are empty', username: 'x', password: 'lovelace' },
];

const check = ({ username = 'x', first = '', last = '', short = '', password }: Row) => {
  const names = { user_first_name: first, user_last_name: last, user_short: short };
  return refusal(() => refuseOwnNames(newPassword(password, ''), accountItem({ username, ...names }), 'it'));
};

test.each(WEAK)('refuseOwnNames refuses $password, which has $what', (row) => {
  expect(check(row)).toEqual({ code: 'invalid_request', fields: ['it'] });
});

test.each(STRONG)('refuseOwnNames accepts $password, which has $what', (row) => {
  expect(check(row)).toBeUndefined();
});

test('the rest of the tested passwords is one byte too short', () => {
  expect(Buffer.byteLength(REST)).toBe(MIN_BYTES - 1);
});
