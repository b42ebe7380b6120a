import { describe, expect, test } from 'vitest';
import { EXPECTATIONS, givenSettings } from '#lib/instance/expectations';
import {
  SETTING_NAMES,
  SETTINGS,
  type Settings,
  settingsFromEnvironment,
  settingVariable,
  settingVariables,
} from '#lib/instance/settings';

type Name = keyof Settings;
const read = (name: Name, text: string) => settingsFromEnvironment({ [settingVariable(name)]: text })[name];

test.each(SETTING_NAMES)('the default of %s is the value of its text', (name) => {
  const { schema, value } = SETTINGS[name];
  expect(schema().parse(String(value))).toEqual(value);
});

const ORIGINS = ['https://a.example', 'http://localhost:5173'];
const numbers = (...texts: string[]) => Object.fromEntries(texts.map((text) => [text, Number(text)]));
const texts = (...all: string[]) => Object.fromEntries(all.map((text) => [text, text]));

const HASH = 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg';
const [APP, OTHER_APP] = [`android:apk-key-hash:${HASH}`, `android:apk-key-hash:${'A'.repeat(43)}`];

const VALID: Partial<Record<Name, Record<string, unknown>>> = {
  JwtExpireHours: numbers('1', '720', '0.5', '0.000278'),
  TokenMaxDays: numbers('0', '3650'),
  AuditDays: numbers('1', '365'),
  ErasureAfterDays: numbers('0', '30'),
  BcryptCost: numbers('10', '15'),
  BreachedPasswordCheck: texts(
    '',
    'https://api.pwnedpasswords.com/range',
    ...['localhost', '127.0.0.1:3000', '[::1]'].map((host) => `http://${host}/range`),
  ),
  AllowQueryToken: { true: true, false: false },
  SecondFactor: texts('off', 'offered', 'administrators'),
  AdministratorTokens: { false: false },
  PasskeyDomain: texts('', 'example.com', 'localhost', 'a-1.b.example'),
  PasskeyOrigins: { '': [], [APP]: [APP], [`${APP}, ${OTHER_APP}`]: [APP, OTHER_APP] },
  SecurityStampCacheSeconds: numbers('0', '60'),
  CorsAllowedOrigins: { '': [], [ORIGINS.join(', ')]: ORIGINS, [` ${ORIGINS.join(' ,, ')}, `]: ORIGINS },
  Docs: { false: false },
  AdminPage: { false: false },
  OwnerName: texts('Ünïted "Apps" & Söhne'),
  OwnerLogo: texts('', 'data:image/png;base64,AA==', 'data:image/svg+xml,%3Csvg/%3E'),
  OwnerLanguage: texts('de-AT', 'zh-Hant-TW'),
  // Its list is checked where it is read: test/unit/trust/issuers.test.ts.
  Issuers: texts('', '[]'),
  Resources: texts('', '[]'),
  Issuer: texts('', 'https://id.example.com', 'https://id.example.com:8443', 'http://localhost:3000'),
  ApiUrl: texts('', 'https://api.example.com', 'http://127.0.0.1:3000'),
};

const INVALID: Partial<Record<Name, string[]>> = {
  JwtExpireHours: ['', ' 24', ...'0 0.0 720.000001 721 -1 24h 1e2 0x10 Infinity NaN'.split(' ')],
  TokenMaxDays: ['3651', '-1', '1.5', ''],
  AuditDays: ['0', '366', '1.5', ''],
  ErasureAfterDays: ['31', '-1', '1.5', ''],
  BcryptCost: ['9', '16', '12.5', '012', ''],
  BreachedPasswordCheck: [
    ...'x ftp://localhost http://a.example http://127.0.0.1.example http://localhost.example'.split(' '),
    ...['u@', 'u:p@'].map((user) => `https://${user}a.example/range`),
    ...['?', '?a=1', '#', '#a'].map((end) => `https://a.example/range${end}`),
  ],
  AllowQueryToken: ['True', '1', 'no', ''],
  SecondFactor: ['', 'on', 'Offered'],
  AdministratorTokens: ['no', ''],
  PasskeyDomain: ['https://example.com', 'example.com/', '.example.com', 'Example.com', 'a..b', 'a:3000'],
  PasskeyOrigins: [
    ...['https://app.example.com', 'android:apk-key-hash:', HASH, `android:apk-key-hash-sha256:${HASH}`],
    // Padded, too short, too long, in base64, with bits beyond the hash, in hexadecimal as keytool prints it, two at once.
    ...[`${APP}=`, APP.slice(0, -1), `${APP}A`, APP.replace('-', '+'), APP.replace(/g$/, 'h')],
    `android:apk-key-hash:${Buffer.from(HASH, 'base64url').toString('hex')}`,
    `${APP} ${OTHER_APP}`,
    `ANDROID:apk-key-hash:${HASH}`,
    '*',
  ],
  SecurityStampCacheSeconds: ['61', '-1', '1.5', ''],
  CorsAllowedOrigins: [
    ...'* null a.example https://a.example/ https://a.example/path https://A.example'.split(' '),
    'https://a.example https://b.example',
  ],
  Events: ['user_delete', 'user_cancel user_lock', 'USER_LOCK'],
  Docs: ['no'],
  AdminPage: ['no'],
  OwnerLogo: [
    'https://example.com/logo.png',
    'data:text/html,x',
    `data:image/png,${'A'.repeat(2001)}`,
    'data:image/png,',
  ],
  OwnerLanguage: ['', 'english', 'de_AT'],
  Issuer: [
    'id.example.com',
    'https://id.example.com/',
    'https://id.example.com/core',
    'http://id.example.com',
  ],
  ApiUrl: ['api.example.com', 'ftp://api.example.com', 'javascript:alert(1)', 'https:// example.com'],
};

test.each<[Name, string, string]>([
  ['ApiUrl', 'https://a.example/', 'https://a.example'],
  ['ApiUrl', 'https://a.example/core//', 'https://a.example/core'],
  ['BreachedPasswordCheck', 'https://a.example/range/', 'https://a.example/range'],
])('the setting %s reads %s without final slashes, since paths begin with one', (name, text, value) => {
  expect(read(name, text)).toBe(value);
});

describe.each(SETTING_NAMES)('the setting %s', (name) => {
  test.each(Object.entries(VALID[name] ?? {}))('accepts %j', (text, value) => {
    expect(read(name, text)).toEqual(value);
  });

  test.each(INVALID[name] ?? [])('rejects %j with what it expects', (text) => {
    const shown = `"${text.replace(/u(:p)?@/, '…@')}"`;
    const given = () => givenSettings({ [settingVariable(name)]: text });
    expect(given).toThrow(new Error(`Settings:${name} expects ${EXPECTATIONS[name]}, not ${shown}`));
    expect(() => read(name, text)).toThrow(new Error(`Settings:${name} does not accept ${shown}`));
  });
});

const RANGES = SETTING_NAMES.flatMap((name) => {
  const [, min, max] = /from (\d+) to (\d+)$/.exec(EXPECTATIONS[name]) ?? [];
  return max === undefined ? [] : [[name, Number(min), Number(max)] as const];
});

test('five settings expect a whole number in a range', () => {
  expect(RANGES).toHaveLength(5);
});

test.each(RANGES)('%s accepts the whole numbers from %i to %i, as it expects', (name, min, max) => {
  const accepts = (number: number) => SETTINGS[name].schema().safeParse(String(number)).success;
  expect([min - 1, min, max, max + 1].map(accepts)).toEqual([false, true, true, false]);
});

test('each invalid setting has a line of its own', () => {
  const invalid = { Settings__BcryptCost: '9', Settings__ApiUrl: 'https://ada:p@ss@x' };
  expect(() => givenSettings(invalid)).toThrow(
    new Error(
      'Settings:BcryptCost expects a whole number from 10 to 15, not "9"\n' +
        'Settings:ApiUrl expects an http or https URL without credentials, not "https://…@x"',
    ),
  );
});

test('the variables of some settings are those that are set', () => {
  const environment = { Settings__BcryptCost: '10', Settings__Docs: 'false', Docs: 'x', TABLE_NAME: 'y' };
  expect(settingVariables(environment, ['BcryptCost', 'ApiUrl'])).toEqual({ Settings__BcryptCost: '10' });
  const every = { Settings__BcryptCost: '10', Settings__Docs: 'false' };
  expect(settingVariables(environment)).toEqual(every);
});

test('a setting is read from its environment variable only', () => {
  const alike = { Settings__BcryptCost: '10', BcryptCost: '11', Settings_BcryptCost: '13' };
  expect(settingsFromEnvironment(alike)).toMatchObject({ BcryptCost: 10 });
});

test.each([
  [{ Settings__Bcryptcost: '10' }, 'Settings__Bcryptcost'],
  [{ settings__BcryptCost: '10', Settings__BcryptCost: '10' }, 'settings__BcryptCost'],
  [{ SETTINGS__X: '', PATH: '', Settings__: '' }, 'SETTINGS__X, Settings__'],
  [{ Settings__Unknown: undefined }, 'Settings__Unknown'],
])('an unknown setting in the environment is rejected: %j', (environment, unknown) => {
  const known = SETTING_NAMES.map(settingVariable).join(', ');
  expect(() => settingsFromEnvironment(environment)).toThrow(
    new Error(`Unknown settings: ${unknown}; known: ${known}`),
  );
});
