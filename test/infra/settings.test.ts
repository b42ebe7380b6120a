import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { FILES } from '#infra/aws/bundle';
import { bundleFile, ROOT } from '#infra/bundle';
import { settingsReadBy, settingsReadIn } from '#infra/bundle/settings';
import { readSources } from '#infra/sources';
import { SETTING_NAMES, settingVariable } from '#lib/instance/settings';
import { contract as login } from '#lib/login/login.contract';
import { contract as password } from '#lib/login/password.contract';
import { contracts, functions } from '#lib/routes';
import { contract as info } from '#lib/system/info.contract';
import './built.ts';
import { functionOf, type Synthesized, synthesizeAnew } from './synth.ts';

/** The settings that a function reads with this code, bundled like a function. */
async function readBy(code: string) {
  const contents = `import { settingsFromEnvironment } from '#lib/instance/settings';
    const settings = settingsFromEnvironment(process.env);
    ${code}`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    mainFields: ['module', 'main'],
  });
  return settingsReadIn(outputFiles[0]?.text ?? '');
}

test.each([
  ['a property', 'console.log(settings.Events.length)', ['Events']],
  ['an optional property', 'console.log(globalThis.settings?.Docs)', ['Docs']],
  ['a property by its text', `console.log(settings['ApiUrl'])`, ['ApiUrl']],
  ['a parameter', 'export const rule = ({ Docs, ApiUrl: url }) => [Docs, url]', ['Docs', 'ApiUrl']],
  ['a nested pattern', 'export const rule = ({ runtime: { settings: { Events } } }) => Events', ['Events']],
  ['a variable', 'const { OwnerName } = settings; console.log(OwnerName, OwnerName)', ['OwnerName']],
  ['code that nothing reaches', 'const unused = () => settings.Docs', []],
  ['texts', `console.log('Events', 'see Settings:Docs', 'Settings__ApiUrl', "a Docs b")`, []],
  ['alike properties', 'console.log(settings.EventsOf, settings.myDocs)', []],
])('the settings that a function reads follow from its bundle: %s', async (_, code, expected) => {
  expect(await readBy(code)).toEqual(expected);
});

test('no function reads settings by a computed name, which its bundle does not have', () => {
  const computed = /settings\??\.?\[|(Object\.\w+|JSON\.stringify)\((\w+\.)*settings\b/i;
  const others = readSources().filter(
    ({ path }) => /^(functions|lib)\//.test(path) && path !== 'lib/instance/settings.ts',
  );
  expect(others.filter(({ text }) => computed.test(text)).map(({ path }) => path)).toEqual([]);
});

/** A value of each setting that is not its default. */
const OTHERS = {
  JwtExpireHours: '8',
  TokenMaxDays: '30',
  BcryptCost: '11',
  BreachedPasswordCheck: 'https://api.example.com/range',
  AuditDays: '30',
  ErasureAfterDays: '3',
  AllowQueryToken: 'false',
  SecondFactor: 'administrators',
  AdministratorTokens: 'false',
  PasskeyDomain: 'example.com',
  PasskeyOrigins: 'android:apk-key-hash:n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg',
  SecurityStampCacheSeconds: '5',
  CorsAllowedOrigins: 'https://app.example.com',
  Events: 'user_create',
  Docs: 'false',
  AdminPage: 'false',
  OwnerName: 'Ada',
  OwnerLogo: 'data:image/png;base64,AA==',
  OwnerLanguage: 'de',
  Issuers: '[{"name":"gitlab","issuer":"https://gitlab.com"}]',
  Resources: '[{"audience":"https://orders.example.com"}]',
  Issuer: 'https://accounts.example.com',
  ApiUrl: 'https://api.example.com',
} as const satisfies Record<(typeof SETTING_NAMES)[number], string>;

const contextOf = (names: readonly (typeof SETTING_NAMES)[number][]) =>
  Object.fromEntries(names.map((name) => [`Settings:${name}`, OTHERS[name]]));
const readers = new Map<string, ReturnType<typeof settingsReadBy>>(
  functions.map(({ id }) => [id, settingsReadBy(bundleFile(id))]),
);
const synthesized = (names: Parameters<typeof contextOf>[0]) =>
  synthesizeAnew(contextOf(names), contracts, (id) => readers.get(id) ?? []);

const [none, all] = [synthesized([]), synthesized(SETTING_NAMES)];

describe.each(functions)('$id', ({ id }) => {
  test('has the settings that its bundle reads, and no others', () => {
    const { Variables } = functionOf(all, id).Properties['Environment'] as { Variables: object };
    const given = Object.entries(Variables).filter(([name]) => name.startsWith('Settings__'));
    // Lists of objects are in files beside the code.
    const names = (readers.get(id) ?? []).filter((name) => !(name in FILES));
    const expected = names.map((name) => [settingVariable(name), OTHERS[name]]);
    expect(Object.fromEntries(given)).toEqual(Object.fromEntries(expected));
  });
});

test('only functions whose contract has a step-up contain its check, and the token endpoint, which asks it for roles', () => {
  const all = [...readers].filter(([, names]) => names.includes('SecondFactor')).map(([id]) => id);
  const asking = contracts.filter(({ id, stepUp }) => stepUp || id === 'oauth.token');
  expect(all).toEqual(asking.map(({ id }) => id));
  expect([...readers].filter(([, names]) => names.includes('AdministratorTokens')).map(([id]) => id)).toEqual(
    all,
  );
});

/** IDs of the resources that an update changes. */
const changed = (before: Synthesized, after: Synthesized) =>
  after.all
    .filter((one) => JSON.stringify(one) !== JSON.stringify(before.all.find(({ id }) => id === one.id)))
    .map(({ id }) => id)
    .sort();

test.each([
  ['JwtExpireHours', [login.id, 'account.passkey-assert', password.id, 'oauth.token', info.id]],
  ['AuditDays', ['account.erase', 'account.export', 'audit.browse', 'audit.collect', 'audit.refill']],
  [
    'SecurityStampCacheSeconds',
    ['account.erase', 'system.ping', 'system.preview', 'system.uuid', 'system.uuids'],
  ],
] as const)('a change of %s updates the functions that read it, and nothing else', (name, ids) => {
  expect(changed(none, synthesized([name]))).toEqual(ids.map((id) => functionOf(none, id).id).sort());
});
