import * as z from 'zod/mini';
import { booleanText, listText, numberText } from '../input/parse.ts';

/** Maximum lifetime of a session token, in hours. */
export const MAX_EXPIRE_HOURS = 720;

/** Maximum lifetime of an API token that expires, in days. */
export const MAX_TOKEN_DAYS = 3650;

/** Maximum age of a cached account, in seconds. */
export const MAX_STAMP_CACHE_SECONDS = 60;

/** Maximum of the days between a cancellation and an erasure. */
export const MAX_ERASURE_AFTER_DAYS = 30;

/** Retention of the audit log itself. */
export const MAX_AUDIT_DAYS = 365;

const isOrigin = (text: string) => URL.canParse(text) && new URL(text).origin === text;

/** `android:apk-key-hash:` and the SHA-256 of the certificate that signs an app, in base64url, as Android sends it as its origin. */
function isAndroidApp(text: string) {
  const [, hash = ''] = /^android:apk-key-hash:([\w-]{43})$/.exec(text) ?? [];
  // The last character has two bits more than the hash.
  return hash !== '' && Buffer.from(hash, 'base64url').toString('base64url') === hash;
}

export const EVENT_TYPES = [
  'user_cancel',
  'user_reactivate',
  'user_create',
  'user_lock',
  'user_unlock',
  'token_create',
  'token_delete',
  'token_expiring',
  'password_change',
  'token_rotate',
  'team_create',
  'passkey_create',
  'passkey_delete',
  'user_erase',
  'team_rename',
  'team_delete',
  'trust_create',
  'trust_delete',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** Always published: subscribers delete data on `user_cancel` and `user_erase`, so they must also see a `user_reactivate` in between. */
export const ALWAYS: readonly EventType[] = ['user_cancel', 'user_reactivate', 'user_erase'];

/**
 * Who confirms what cannot be undone, or widens power, with a passkey: nobody, everyone who has one, or these and every
 * `sys_administrator`.
 */
export const SECOND_FACTORS = ['off', 'offered', 'administrators'] as const;

/**
 * One setting: its schema and its default. Every function contains all of them, and no text about them: `expectations.ts`
 * has the values that each accepts, `infra/openapi/texts/settings.json` what it is for.
 */
interface Setting {
  readonly schema: () => z.ZodMiniType<unknown, string>;
  /** The default as the schema parses it, so that defaults need no schema at start. The schema accepts it as text, too. */
  readonly value: unknown;
}

const whole = (min: number, max: number, value: number) => ({
  schema: () => numberText(/^(0|[1-9]\d*)$/, z.gte(min), z.lte(max)),
  value,
});

const flag = (value: boolean) => ({ schema: booleanText, value });

const text = (pattern: RegExp, value = '') => ({
  schema: () => z.string().check(z.regex(pattern)),
  value,
});

/** A base URL. Paths begin with a slash, so it loses its own at the end. */
const baseUrl = (pattern: RegExp) => ({
  ...text(pattern),
  schema: () =>
    z.string().check(
      z.regex(pattern),
      z.overwrite((url) => url.replace(/\/+$/, '')),
    ),
});

export const SETTINGS = {
  JwtExpireHours: {
    schema: () => numberText(/^\d+(\.\d+)?$/, z.gt(0), z.lte(MAX_EXPIRE_HOURS)),
    value: 24,
  },
  TokenMaxDays: whole(0, MAX_TOKEN_DAYS, 0),
  BcryptCost: whole(10, 15, 12),
  BreachedPasswordCheck: baseUrl(
    /^$|^(https:\/\/[^\s/?#@]+|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?)(\/[^\s?#]*)?$/,
  ),
  AuditDays: whole(1, MAX_AUDIT_DAYS, 90),
  ErasureAfterDays: whole(0, MAX_ERASURE_AFTER_DAYS, 7),
  AllowQueryToken: flag(true),
  SecondFactor: {
    schema: () => z.enum(SECOND_FACTORS),
    value: 'off',
  },
  AdministratorTokens: flag(true),
  PasskeyDomain: text(/^$|^([a-z0-9-]+\.)*[a-z0-9-]+$/),
  PasskeyOrigins: {
    schema: () => listText(z.string().check(z.refine(isAndroidApp))),
    value: [],
  },
  SecurityStampCacheSeconds: whole(0, MAX_STAMP_CACHE_SECONDS, 0),
  CorsAllowedOrigins: {
    schema: () => listText(z.string().check(z.refine(isOrigin))),
    value: [],
  },
  Events: {
    schema: () => listText(z.enum(EVENT_TYPES)),
    value: ALWAYS,
  },
  Docs: flag(true),
  AdminPage: flag(true),
  OwnerName: text(/^/),
  /** The page contains it, so that its policy need not permit images of another origin. */
  OwnerLogo: text(/^$|^data:image\/(png|jpeg|webp|svg\+xml)[;,][!-~]{1,2000}$/),
  OwnerLanguage: text(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'en'),
  /** An object would bring its schema into every bundle: `lib/trust/issuers.ts` parses it. */
  Issuers: text(/^/),
  /** As the issuers: `lib/resource/resources.ts` parses it. */
  Resources: text(/^/),
  Issuer: text(
    /^$|^https:\/\/[^\s/?#@:]+(:\d+)?$|^http:\/\/(([a-z0-9-]+\.)*localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/,
  ),
  ApiUrl: baseUrl(/^$|^https?:\/\/[^\s/@]+(\/\S*)?$/),
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

export type Settings = { readonly [K in SettingName]: z.output<ReturnType<(typeof SETTINGS)[K]['schema']>> };

/** The values that each setting accepts, in words. */
export type Expectations = Readonly<Record<SettingName, string>>;

/** Names of all settings, without their prefix. */
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

const PREFIX = 'Settings__';

/** Environment variable of a setting: `Settings__JwtExpireHours` for `Settings:JwtExpireHours`. */
export const settingVariable = (name: SettingName): string => `${PREFIX}${name}`;

/** The variables of some settings, as far as they are set. */
export const settingVariables = (
  environment: Readonly<Record<string, string | undefined>>,
  names: readonly SettingName[] = SETTING_NAMES,
): Record<string, string> =>
  Object.fromEntries(
    names.map(settingVariable).flatMap((variable) => {
      const text = environment[variable];
      return text === undefined ? [] : [[variable, text]];
    }),
  );

/**
 * Reads every setting from environment variables.
 *
 * @param expects the values that settings accept, for faults; functions read what a synth or a start has accepted
 * @throws Error that names each unknown variable with the prefix of a setting, in any case, and each invalid setting
 */
export function settingsFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  expects: Partial<Expectations> = {},
): Settings {
  const settings: Partial<Record<SettingName, unknown>> = {};
  const faults = unknownIn(Object.keys(environment));
  for (const name of SETTING_NAMES) {
    const { schema, value } = SETTINGS[name];
    const text = environment[settingVariable(name)];
    if (text === undefined) {
      settings[name] = value;
      continue;
    }
    const result = schema().safeParse(text);
    if (result.success) settings[name] = result.data;
    // A URL may have credentials, although no setting accepts them.
    else faults.push(`Settings:${name} ${refusing(expects[name])} "${text.replace(/\/\/.*@/, '//…@')}"`);
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return settings as Settings;
}

const refusing = (expected: string | undefined) =>
  expected === undefined ? 'does not accept' : `expects ${expected}, not`;

function unknownIn(variables: readonly string[]): string[] {
  const known = SETTING_NAMES.map(settingVariable);
  const alike = variables.filter((name) => name.toLowerCase().startsWith(PREFIX.toLowerCase()));
  const unknown = alike.filter((name) => !known.includes(name));
  return unknown.length > 0 ? [`Unknown settings: ${unknown.join(', ')}; known: ${known.join(', ')}`] : [];
}
