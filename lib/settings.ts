import * as z from 'zod/mini';
import { booleanText, listText } from './parse.ts';

/** The longest that a session token can be set to live. */
export const MAX_EXPIRE_HOURS = 720;

/** The longest that a session can be answered without a look at its account. */
export const MAX_STAMP_CACHE_SECONDS = 60;

const number = (pattern: RegExp, ...checks: z.core.CheckFn<number>[] | z.core.$ZodCheck<number>[]) =>
  z.pipe(
    z.pipe(z.string().check(z.regex(pattern)), z.transform(Number)),
    z.number().check(...(checks as z.core.$ZodCheck<number>[])),
  );

const isOrigin = (text: string) => URL.canParse(text) && new URL(text).origin === text;

/** The events that an instance can publish; the first two it always does. */
export const EVENT_TYPES = [
  'user_cancel',
  'user_reactivate',
  'user_create',
  'user_lock',
  'user_unlock',
  'token_create',
  'token_delete',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** Subscribers delete by the one, and must not where the other came after it. */
export const ALWAYS: readonly EventType[] = ['user_cancel', 'user_reactivate'];

/** One setting: how its text is read, its text unless told, what it expects, and what it is for. */
interface Setting {
  readonly schema: () => z.ZodMiniType<unknown, string>;
  readonly standard: string;
  /** What the schema makes of `standard`: most settings of most functions, and no schema is needed for it. */
  readonly value: unknown;
  readonly expects: string;
  readonly about: string;
}

/** Every setting of an instance. */
export const SETTINGS = {
  JwtExpireHours: {
    schema: () => number(/^\d+(\.\d+)?$/, z.gt(0), z.lte(MAX_EXPIRE_HOURS)),
    standard: '24',
    value: 24,
    expects: `a number of hours above 0 and at most ${MAX_EXPIRE_HOURS}`,
    about: 'lifetime of a session token; fractions are allowed',
  },
  BcryptCost: {
    schema: () => number(/^\d{2}$/, z.gte(10), z.lte(15)),
    standard: '12',
    value: 12,
    expects: 'a whole number from 10 to 15',
    about: 'bcrypt cost of passwords, which are hashed anew at login when it changes',
  },
  AllowQueryToken: {
    schema: () => booleanText(),
    standard: 'true',
    value: true,
    expects: 'true or false',
    about: 'whether `ptoken` in the query is accepted: turn it off on the open internet',
  },
  SecurityStampCacheSeconds: {
    schema: () => number(/^\d{1,2}$/, z.lte(MAX_STAMP_CACHE_SECONDS)),
    standard: '0',
    value: 0,
    expects: `a whole number of seconds from 0 to ${MAX_STAMP_CACHE_SECONDS}`,
    about:
      'how long ping, preview and UUIDs answer a session without asking the table again: a lock, a cancel and a logout act on them so much later',
  },
  CorsAllowedOrigins: {
    schema: () => listText(z.string().check(z.refine(isOrigin))),
    standard: '',
    value: [],
    expects: 'origins such as https://app.example.com, separated by commas',
    about: 'where browsers may call from, with the session cookie too',
  },
  Events: {
    schema: () => listText(z.enum(EVENT_TYPES)),
    standard: ALWAYS.join(','),
    value: ALWAYS,
    expects: `some of ${EVENT_TYPES.join(', ')}, separated by commas`,
    about: 'the events that are published; the two of the default always are',
  },
  Docs: {
    schema: () => booleanText(),
    standard: 'true',
    value: true,
    expects: 'true or false',
    about:
      'whether the documentation is public, the page and the OpenAPI document; it tells nothing that this repository does not',
  },
  OwnerName: {
    schema: () => z.string(),
    standard: '',
    value: '',
    expects: 'a text',
    about: 'what the instance says of its owner',
  },
  OwnerLanguage: {
    schema: () => z.string().check(z.regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)),
    standard: 'en',
    value: 'en',
    expects: 'a language tag such as en or de-AT',
    about: 'language of the owner (RFC 5646)',
  },
  ApiUrl: {
    schema: () => z.string().check(z.regex(/^$|^https?:\/\/[^\s/]+[^\s]*$/)),
    standard: '',
    value: '',
    expects: 'an http or https URL',
    about: 'the base URL that the instance reports; the gateway’s own unless told',
  },
} as const satisfies Record<string, Setting>;

type SettingName = keyof typeof SETTINGS;

/** The settings of an instance. */
export type Settings = { readonly [K in SettingName]: z.output<ReturnType<(typeof SETTINGS)[K]['schema']>> };

/** The names of all settings, without their prefix. */
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

const PREFIX = 'Settings__';

/** The environment variable of a setting: `Settings__JwtExpireHours` for `Settings:JwtExpireHours`. */
export const settingVariable = (name: SettingName): string => `${PREFIX}${name}`;

/**
 * Reads every setting.
 *
 * @param read the text of a setting, or undefined for its default
 * @throws Error that names every setting with an invalid value, and what it expects
 */
export function readSettings(read: (name: SettingName) => string | undefined): Settings {
  const settings: Partial<Record<SettingName, unknown>> = {};
  const faults: string[] = [];
  for (const name of SETTING_NAMES) {
    const { schema, value, expects } = SETTINGS[name];
    const text = read(name);
    if (text === undefined) {
      settings[name] = value;
      continue;
    }
    const result = schema().safeParse(text);
    if (result.success) settings[name] = result.data;
    else faults.push(`Settings:${name} expects ${expects}, not "${text}"`);
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return settings as Settings;
}

/** @throws Error that names what of `given` has the prefix of a setting, in whatever case, and is none */
export function rejectUnknownSettings(prefix: string, given: readonly string[]): void {
  const known = SETTING_NAMES.map((name) => `${prefix}${name}`);
  const alike = given.filter((name) => name.toLowerCase().startsWith(prefix.toLowerCase()));
  const unknown = alike.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')} is none of ${known.join(', ')}`);
}

/**
 * Reads every setting from environment variables.
 *
 * @throws Error that names every invalid value, or every variable that looks like a setting and is none
 */
export function settingsFromEnvironment(environment: Readonly<Record<string, string | undefined>>): Settings {
  rejectUnknownSettings(PREFIX, Object.keys(environment));
  return readSettings((name) => environment[settingVariable(name)]);
}
