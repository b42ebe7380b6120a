import { describe, expect, test } from 'vitest';
import {
  readSettings,
  rejectUnknownSettings,
  SETTING_NAMES,
  SETTINGS,
  type Settings,
  settingsFromEnvironment,
  settingVariable,
} from '#lib/settings';

const read = (name: keyof Settings, text: string) =>
  readSettings((each) => (each === name ? text : undefined))[name];

test('an instance without settings has the documented ones', () => {
  expect(settingsFromEnvironment({})).toEqual({
    JwtExpireHours: 24,
    BcryptCost: 12,
    AllowQueryToken: true,
    SecurityStampCacheSeconds: 0,
    CorsAllowedOrigins: [],
    Events: ['user_cancel', 'user_reactivate'],
    Docs: true,
    OwnerName: '',
    OwnerLanguage: 'en',
    ApiUrl: '',
  });
});

test.each(SETTING_NAMES)('%s is, unless told, what the text of its default says', (name) => {
  const { schema, standard, value } = SETTINGS[name];
  expect(schema().parse(standard)).toEqual(value);
});

test('settings are environment variables with __ for the colon', () => {
  expect(
    settingsFromEnvironment({ Settings__BcryptCost: '10', BcryptCost: '11', Settings_BcryptCost: '13' }),
  ).toMatchObject({
    BcryptCost: 10,
  });
});

describe('a valid value is read', () => {
  test.each<[keyof Settings, string, unknown]>([
    ['JwtExpireHours', '1', 1],
    ['JwtExpireHours', '720', 720],
    ['JwtExpireHours', '0.5', 0.5],
    ['JwtExpireHours', '0.000278', 0.000278],
    ['BcryptCost', '10', 10],
    ['BcryptCost', '15', 15],
    ['AllowQueryToken', 'true', true],
    ['AllowQueryToken', 'false', false],
    ['SecurityStampCacheSeconds', '0', 0],
    ['SecurityStampCacheSeconds', '60', 60],
    ['CorsAllowedOrigins', '', []],
    ['CorsAllowedOrigins', 'https://a.example', ['https://a.example']],
    [
      'CorsAllowedOrigins',
      'https://a.example, http://localhost:5173',
      ['https://a.example', 'http://localhost:5173'],
    ],
    ['Docs', 'false', false],
    ['OwnerName', 'Ünïted "Apps" & Söhne', 'Ünïted "Apps" & Söhne'],
    ['OwnerLanguage', 'de-AT', 'de-AT'],
    ['OwnerLanguage', 'zh-Hant-TW', 'zh-Hant-TW'],
    ['ApiUrl', 'https://api.example.com', 'https://api.example.com'],
    ['ApiUrl', 'http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ])('%s: %s', (name, text, value) => {
    expect(read(name, text)).toEqual(value);
  });
});

describe('an invalid value is refused by the name of its setting', () => {
  test.each<[keyof Settings, string]>([
    ['JwtExpireHours', '0'],
    ['JwtExpireHours', '0.0'],
    ['JwtExpireHours', '720.000001'],
    ['JwtExpireHours', '721'],
    ['JwtExpireHours', '-1'],
    ['JwtExpireHours', ''],
    ['JwtExpireHours', ' 24'],
    ['JwtExpireHours', '24h'],
    ['JwtExpireHours', '1e2'],
    ['JwtExpireHours', '0x10'],
    ['JwtExpireHours', 'Infinity'],
    ['JwtExpireHours', 'NaN'],
    ['BcryptCost', '9'],
    ['BcryptCost', '16'],
    ['BcryptCost', '12.5'],
    ['BcryptCost', '012'],
    ['BcryptCost', ''],
    ['AllowQueryToken', 'True'],
    ['AllowQueryToken', '1'],
    ['AllowQueryToken', 'no'],
    ['AllowQueryToken', ''],
    ['SecurityStampCacheSeconds', '61'],
    ['SecurityStampCacheSeconds', '-1'],
    ['SecurityStampCacheSeconds', '1.5'],
    ['SecurityStampCacheSeconds', ''],
    ['CorsAllowedOrigins', '*'],
    ['CorsAllowedOrigins', 'null'],
    ['CorsAllowedOrigins', 'a.example'],
    ['CorsAllowedOrigins', 'https://a.example/'],
    ['CorsAllowedOrigins', 'https://a.example/path'],
    ['CorsAllowedOrigins', 'https://A.example'],
    ['CorsAllowedOrigins', 'https://a.example https://b.example'],
    ['Events', 'user_delete'],
    ['Events', 'user_cancel user_lock'],
    ['Events', 'USER_LOCK'],
    ['Docs', 'no'],
    ['OwnerLanguage', ''],
    ['OwnerLanguage', 'english'],
    ['OwnerLanguage', 'de_AT'],
    ['ApiUrl', 'api.example.com'],
    ['ApiUrl', 'ftp://api.example.com'],
    ['ApiUrl', 'javascript:alert(1)'],
    ['ApiUrl', 'https:// example.com'],
  ])('%s: "%s"', (name, text) => {
    expect(() => read(name, text)).toThrow(`Settings:${name} expects `);
    expect(() => read(name, text)).toThrow(`"${text}"`);
  });
});

test('every setting at fault is named in one message', () => {
  const faulty = { JwtExpireHours: '0', BcryptCost: '99', AllowQueryToken: 'maybe' } as const;
  const all = () => readSettings((name) => faulty[name as keyof typeof faulty]);
  for (const name of Object.keys(faulty)) expect(all).toThrow(`Settings:${name}`);
  expect(all).not.toThrow('OwnerLanguage');
});

test('the settings are those that are documented', () => {
  expect(SETTING_NAMES).toEqual([
    'JwtExpireHours',
    'BcryptCost',
    'AllowQueryToken',
    'SecurityStampCacheSeconds',
    'CorsAllowedOrigins',
    'Events',
    'Docs',
    'OwnerName',
    'OwnerLanguage',
    'ApiUrl',
  ]);
});

test('every setting at fault has a line, which tells what it expects and what it was given', () => {
  const faulty: Record<string, string> = { BcryptCost: '9', ApiUrl: 'ftp://x' };
  expect(() => readSettings((name) => faulty[name])).toThrow(
    new Error(
      'Settings:BcryptCost expects a whole number from 10 to 15, not "9"\n' +
        'Settings:ApiUrl expects an http or https URL, not "ftp://x"',
    ),
  );
});

test('an empty part of a list of origins is none', () => {
  expect(read('CorsAllowedOrigins', ' https://a.example ,, https://b.example, ')).toEqual([
    'https://a.example',
    'https://b.example',
  ]);
});

describe('what looks like a setting and is none is refused', () => {
  const known = SETTING_NAMES.map(settingVariable).join(', ');

  test.each([
    [{ Settings__Bcryptcost: '10' }, 'Settings__Bcryptcost'],
    [{ settings__BcryptCost: '10', Settings__BcryptCost: '10' }, 'settings__BcryptCost'],
    [{ SETTINGS__X: '', PATH: '', Settings__: '' }, 'SETTINGS__X, Settings__'],
    [{ Settings__Unknown: undefined }, 'Settings__Unknown'],
  ])('in the environment: %j', (environment, unknown) => {
    expect(() => settingsFromEnvironment(environment)).toThrow(new Error(`${unknown} is none of ${known}`));
  });

  test('under the prefix that is told', () => {
    expect(() => rejectUnknownSettings('--', ['--x'])).toThrow(/^--x is none of --JwtExpireHours, /);
    expect(() => rejectUnknownSettings('--', ['--BcryptCost', '-x', 'x', 'x--x'])).not.toThrow();
    expect(() => rejectUnknownSettings('--', [])).not.toThrow();
  });
});
