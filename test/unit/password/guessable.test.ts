import { expect, test } from 'vitest';
import { calendarWords } from '#lib/password/calendar';
import { type Named, refuseGuessable } from '#lib/password/guessable';
import { newPassword } from '#lib/password/hash';

const BEA = { username: 'bea', user_first_name: 'Bea', user_last_name: 'Müller-Lund', user_short: 'BM' };
const OWNER = 'Example Works';

const check = (password: string, owner = OWNER) =>
  refuseGuessable(newPassword(password, ''), BEA, owner, 'it').then(
    () => 'accepted',
    ({ errors }) => errors,
  );

/** `accepted`, or the reason of the refusal. */
const verdict = (password: string, of: Named) =>
  refuseGuessable(newPassword(password, ''), of, OWNER, 'it').then(
    () => 'accepted',
    ({ errors }) => errors[0].message,
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

const KIM = { username: 'kim', user_first_name: 'Kim' };
const LEA = { username: 'lott', user_first_name: 'Lea', user_last_name: 'Ott' };
const LI = { username: 'xiaoming', user_first_name: '小明', user_last_name: '李' };

test.each<[of: Named, kinds: string, ...passwords: string[]]>([
  [
    KIM,
    `${NAMES} and ${CALENDAR}`,
    'Kim_Kim_2024',
    'kim2024kim',
    'KIM!Kim?2024',
    'Kim!@#$%2024',
    'K1m_K1m_2024',
    'miK_4202_miK',
  ],
  [KIM, `${NAMES} and ${CALENDAR}`, 'Kim-31121999-Kim', 'kim.2024.a7', 'Kim_März_Kim', 'kim lunes kim'],
  [KIM, NAMES, 'kim_482_kim', 'kim-71-kim'],
  [LEA, NAMES, 'lea.ott.lea', 'OTT_lea_OTT', '0tt-L3a-0tt', 'ttO.aeL.ttO'],
  [LEA, `${NAMES} and ${COMMON}`, 'OttLea1234', 'Lea-password-Ott'],
  [LEA, `${NAMES} and ${CALENDAR}`, 'Lea&Ott&1999', 'LottLea2024!'],
  [LI, `${NAMES} and ${CALENDAR}`, '李小明2024', '小明-李-2024'],
  [KIM, `${KEYS} and ${CALENDAR}`, 'Qwertz2024', 'aoeuidht2023', 'йцукен2024', 'Poiuzt 2024'],
  [KIM, `${KEYS} and ${NAMES}`, 'qaywsx.kim', 'asd.kim.asd'],
  [
    KIM,
    CALENDAR,
    'lato2024zima',
    'Primavera-2024',
    'Jan2024Feb2025',
    'Winter_Sommer_17',
    'Montag!Dienstag?24',
  ],
  [KIM, `${REPEATS} and ${NAMES}`, 'aaaKim1111', '!!!000_kim_000'],
])('for %j, refuseGuessable names %s in the refusal of %s', async (of, kinds, ...passwords) => {
  const message = `Must not consist mainly of ${kinds}`;
  for (const password of passwords)
    expect([password, await verdict(password, of)]).toEqual([password, message]);
});

test.each<[of: Named, ...passwords: string[]]>([
  [{ username: 'ann' }, 'planner banner', 'Annual mannered', 'tyrannical'],
  [LEA, 'cleaver leash', 'bottle otter', 'please repeat', 'pottery lottery'],
  [KIM, 'kimono skimming', 'Kim kauft Obst', 'eskimo-2024-snow'],
  [{ username: 'li' }, 'lighting olive', 'lilies in 2024', 'daily quality'],
  [
    KIM,
    '4821367 9920148',
    'may the lake freeze',
    'marching-augustus',
    '🦊🐻 kim 🐼🦁',
    '\u{20000}\u{20001}\u{20002} 2024',
  ],
])(
  'for %j, refuseGuessable accepts %s, which has a name inside a word, or enough without what is known',
  async (of, ...passwords) => {
    for (const password of passwords)
      expect([password, await verdict(password, of)]).toEqual([password, 'accepted']);
  },
);

test.each([
  ['two words', 'correct horse', 'zebra-piano', 'wintergreen sofa', 'gartenzaun', 'summer rain'],
  ['words and digits', 'Veranda-Kessel-41', 'green-2-bike'],
  ['a sentence', 'bearing the standard', 'winter is coming', 'Sommer am See'],
  ['a name of the account in a sentence', 'Bea backt Brot', 'bea likes green apples', 'otto-und-bea'],
  ['a name of the service in a sentence', 'my account is safe', 'core values matter'],
  [
    'random characters',
    '(FeDbGt)^-#9',
    '&tC$8j2..s[x',
    'x7#Lq0!tz',
    'k8!vPz2q',
    'zqkvwxjp',
    '#!$%&*+-',
    '-;%B&_C^',
  ],
  ['a name in random characters', 'bea#Lq0!'],
  ['other alphabets', '密码安全', '密码2026', 'лимонад и чай'],
])('refuseGuessable accepts %s', async (_what, ...passwords) => {
  for (const password of passwords) expect([password, await check(password)]).toEqual([password, 'accepted']);
});

test('refuseGuessable needs no name of an owner', async () => {
  expect(await check('ExampleWorks', '')).toBe('accepted');
  expect(await check('core-account', '')).not.toBe('accepted');
});

test('calendarWords has seasons, months and days in many languages, in each usual spelling', () => {
  const expected = [
    'primavera',
    'jesień',
    'jesien',
    'zondag',
    'pazdziernik',
    'kesä',
    'jan',
    'dez',
    'лето',
    'autumn',
    'march',
    'sunday',
    'herbst',
    'märz',
    'maerz',
    'marz',
    'sonntag',
    'été',
    'août',
  ];
  expect(calendarWords()).toEqual(expect.arrayContaining(expected));
  const week = ['montag', 'dienstag', 'mittwoch', 'donnerstag', 'freitag', 'samstag', 'sonntag'];
  expect(calendarWords()).toEqual(expect.arrayContaining(week));
});
