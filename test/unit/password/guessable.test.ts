import { expect, test } from 'vitest';
import { calendarWords } from '#lib/password/calendar';
import { refuseGuessable } from '#lib/password/guessable';
import { newPassword } from '#lib/password/hash';

const BEA = { username: 'bea', user_first_name: 'Bea', user_last_name: 'Müller-Lund', user_short: 'BM' };
const OWNER = 'Example Works';

const check = (password: string, owner = OWNER) =>
  refuseGuessable(newPassword(password, ''), BEA, owner, 'it').then(
    () => 'accepted',
    ({ errors }) => errors,
  );

const NAMES = 'names of the account';
const SERVICE = 'the name of the service or of its owner';
const CALENDAR = 'seasons, months, days or years';
const KEYS = 'keys in a row';
const COMMON = 'common passwords';
const REPEATS = 'repeated characters';
const SEQUENCE = 'a sequence such as 1234';

test.each<[kinds: string, ...passwords: string[]]>([
  [`${NAMES} and ${COMMON}`, 'bea12345', 'B3a12345'],
  [`${NAMES} and ${REPEATS}`, 'bea00000'],
  [REPEATS, 'zt8zt8zt8', 'x-x-x-x-x'],
  [NAMES, 'bea-muller', 'Mueller7!', 'müllerlund1', 'dnul-rellum', 'bea.bea.bea', 'BeaBeaBea'],
  [`${NAMES} and ${CALENDAR}`, 'bea2026!', 'Bea_1987', 'Bea.2026?'],
  [`${CALENDAR} and ${NAMES}`, '2026.bea'],
  [SERVICE, 'core-account', 'CoreAccount1', 'Core_Account!', 'ExampleWorks1', 'example works'],
  [`${SERVICE} and ${CALENDAR}`, 'Example2026!', 'account-2025'],
  [KEYS, 'azertyuiop', 'poiuztre', 'yxcvbnm,', 'qwertzuiop1'],
  [`${KEYS} and ${SEQUENCE}`, 'qwertz12'],
  [CALENDAR, 'Sommer2026', 'Winter2025!', '2026Herbst', 'Frühling-2026', 'Fruehling2026', 'fruhling2026'],
  [
    CALENDAR,
    'März2025!',
    'Maerz2025',
    'January-2026!',
    'Montag2024',
    'Dezember24!',
    'février2026',
    '12.05.1987',
  ],
])('refuseGuessable names %s in the refusal of %s', async (kinds, ...passwords) => {
  const errors = [{ field: 'it', message: `Must not consist mainly of ${kinds}` }];
  for (const password of passwords) expect([password, await check(password)]).toEqual([password, errors]);
});

test.each([
  ['two words', 'correct horse', 'zebra-piano', 'wintergreen sofa', 'gartenzaun', 'summer rain'],
  ['words and digits', 'Veranda-Kessel-41', 'green-2-bike'],
  ['a sentence', 'bearing the standard', 'winter is coming', 'Sommer am See'],
  ['a name of the account in a sentence', 'Bea backt Brot', 'bea likes green apples', 'otto-und-bea'],
  ['a name of the service in a sentence', 'my account is safe', 'core values matter'],
  ['random characters', 'x7#Lq0!tz', 'k8!vPz2q', 'zqkvwxjp', '#!$%&*+-', '-;%B&_C^'],
  ['a name in random characters', 'bea#Lq0!'],
  ['other alphabets', '密码安全', '密码2026', 'лимонад и чай'],
])('refuseGuessable accepts %s', async (_what, ...passwords) => {
  for (const password of passwords) expect([password, await check(password)]).toEqual([password, 'accepted']);
});

test('refuseGuessable needs no name of an owner', async () => {
  expect(await check('ExampleWorks', '')).toBe('accepted');
  expect(await check('core-account', '')).not.toBe('accepted');
});

test('calendarWords has seasons, months and days in three languages, in each usual spelling', () => {
  const expected = ['autumn', 'march', 'sunday', 'herbst', 'märz', 'maerz', 'marz', 'sonntag', 'été', 'août'];
  expect(calendarWords()).toEqual(expect.arrayContaining(expected));
});
