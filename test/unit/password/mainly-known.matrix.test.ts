import { expect, test } from 'vitest';
import { refuseGuessable } from '#lib/password/guessable';
import { newPassword } from '#lib/password/hash';
import { matrix } from '../../matrix.ts';
import { seededBytes } from '../../names.ts';

const LEA = { username: 'lea.ott', user_first_name: 'Lea', user_last_name: 'Ott', user_short: 'LO' };
const KIM = { username: 'kim', user_first_name: 'Kim', user_last_name: '', user_short: 'KI' };
const LI = { username: 'li7', user_first_name: '小明', user_last_name: '李', user_short: '' };

const check = (password: string, of: typeof LEA) =>
  refuseGuessable(newPassword(password, ''), of, 'Example Works', 'it').then(
    () => 'accepted',
    ({ errors }) => String(errors[0].message),
  );

const capital = (text: string) => text.replace(/^\p{L}/u, (letter) => letter.toUpperCase());
const reversed = (text: string) => [...text].reverse().join('');
const leet = (text: string) =>
  text.replace(/[aeiot]/g, (letter) => ({ a: '4', e: '3', i: '1', o: '0', t: '7' })[letter] as string);

const NAMES = [
  ...['lea', 'ott', 'LEA', 'LeaOtt', 'ottlea', 'lea.ott'].map((name) => [LEA, name] as const),
  ...['kim', 'Kim', 'miK'].map((name) => [KIM, name] as const),
  ...['李小明', '小明李', 'li', 'LI7'].map((name) => [LI, name] as const),
];
const KEYS = [
  'qwertz',
  'Qwerty',
  'azerty',
  'aoeuid',
  'asdfgh',
  'mnbvcxy',
  'qazwsx',
  '1qaz2wsx',
  'йцукен',
  'poiuz',
  'yxcvb',
];
const CALENDAR = [
  'Sommer',
  'winter',
  'Januar',
  'febrero',
  'primavera',
  'lunes',
  'zondag',
  'październik',
  'août',
  'лето',
  'Jan',
  'kesä',
];
const NUMBERS = ['2024', '1987', '1234', '4321', '0000', '31121999', '99', '2468'];
const BETWEEN = ['', '_', '.', '-', ' ', '!?'];

/** Two or three of what a cracker knows, in each order, case and direction. */
const known = NAMES.flatMap(([of, name], n) =>
  [...KEYS, ...CALENDAR, ...NUMBERS, name].flatMap((other, o) => {
    const [sign, number] = [BETWEEN[(n + o) % BETWEEN.length], NUMBERS[(n + 2 * o) % NUMBERS.length]];
    const parts = [name, other, `${number}`];
    const all = [parts, parts.toReversed(), [...parts, name], [capital(other), capital(name)]];
    return all.map((each) => ({ of, password: each.join(sign), at: n + 5 * o }));
  }),
).filter(({ password }) => Buffer.byteLength(password) >= 8 && Buffer.byteLength(password) <= 72);

test('a password of names, keys in a row, calendar words and numbers is refused, in any order and with any signs', async () => {
  const accepted: string[] = [];
  for (const { of, password } of matrix(known, ({ at }) => at % 19 === 0))
    if ((await check(password, of)) === 'accepted') accepted.push(password);
  expect(accepted).toEqual([]);
});

test('names are refused reversed, and with digits for letters', async () => {
  for (const [of, name] of NAMES)
    for (const form of [reversed, leet])
      for (const password of [
        `${form(name)}_${form(name)}_2024`,
        `2024${form(name)}${form(name)}`,
        `${form(name)}!1234!${form(name)}`,
      ])
        expect([password, await check(password, of)]).toEqual([
          password,
          expect.stringMatching(/^Must not consist mainly of/),
        ]);
});

/** Words of four letters or more, some of which begin or end like a name, a season or a month. */
const WORDS = (
  'veranda kessel standard bearing planner banner cleaver leash kimono eskimo otter bottle lighting olive sofa garden zebra piano ' +
  'window marble summery wintergreen springboard marching mayor junior augustus sunflower mondayish rocket velvet harbour lantern ' +
  'pepper copper saddle meadow thunder willow cactus ribbon tunnel magnet puzzle basket carpet dragonfly feather glacier hammock ' +
  'iceberg jacket kettle ladder mirror needle orchard pebble quiver raccoon saucer teapot umbrella violin walnut yogurt zipper ' +
  'Fenster Wolke Teppich Gabel Löffel Kirsche Schrank Brücke Zitrone Ameise chaise fromage nuage parapluie ventana naranja'
).split(' ');

/** A number below a limit that depends on the seed only. */
const below = (limit: number) => Buffer.from(seededBytes(4)).readUInt32BE() % limit;
const drawn = (count: number, from: ArrayLike<string>) =>
  Array.from({ length: count }, () => from[below(from.length)] as string);
const PRINTABLE = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join('');
const ALPHANUMERIC = PRINTABLE.replace(/[^\da-z]/gi, '');

const good = Array.from({ length: 1000 }, (_, n) => ({
  of: [LEA, KIM, LI][n % 3] as typeof LEA,
  n,
  passwords: [
    drawn(12, PRINTABLE).join(''),
    drawn(12, ALPHANUMERIC).join(''),
    drawn(4, WORDS).join(n % 2 ? ' ' : '-'),
    drawn(4, WORDS).map(capital).join(''),
  ],
}));

test('random passwords of 12 characters and passphrases of four words are accepted', async () => {
  const refused: string[] = [];
  for (const { of, passwords } of matrix(good, ({ n }) => n % 100 === 0))
    for (const password of passwords) {
      const verdict = await check(password, of);
      if (verdict !== 'accepted') refused.push(`${password}: ${verdict}`);
    }
  expect(refused).toEqual([]);
});
