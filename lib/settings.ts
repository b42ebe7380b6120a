/** The settings of an instance. */
export interface Settings {
  /** Lifetime of a session token in hours; above 0, at most 720, fractions allowed. */
  readonly JwtExpireHours: number;
  /** bcrypt cost of new password hashes, 10 to 15. */
  readonly BcryptCost: number;
  /** Whether a credential in the query string is accepted. */
  readonly AllowQueryToken: boolean;
  /** Origins that browsers may call from. */
  readonly CorsAllowedOrigins: readonly string[];
  readonly OwnerName: string;
  /** Language tag of the owner (RFC 5646). */
  readonly OwnerLanguage: string;
  /** The base URL that the instance reports; the gateway's own unless told. */
  readonly ApiUrl: string;
}

/** The longest that a session token can be set to live. */
export const MAX_EXPIRE_HOURS = 720;

type Parse<T> = (text: string) => T | undefined;

const number =
  (pattern: RegExp, holds: (value: number) => boolean): Parse<number> =>
  (text) =>
    pattern.test(text) && holds(Number(text)) ? Number(text) : undefined;

const url: Parse<string> = (text) =>
  text === '' || /^https?:\/\/[^\s/]+[^\s]*$/.test(text) ? text : undefined;

const origin = (text: string) => URL.canParse(text) && new URL(text).origin === text;

const SETTINGS: { [K in keyof Settings]: { standard: string; parse: Parse<Settings[K]>; expects: string } } =
  {
    JwtExpireHours: {
      standard: '24',
      parse: number(/^\d+(\.\d+)?$/, (hours) => hours > 0 && hours <= MAX_EXPIRE_HOURS),
      expects: `a number of hours above 0 and at most ${MAX_EXPIRE_HOURS}`,
    },
    BcryptCost: {
      standard: '12',
      parse: number(/^\d{2}$/, (cost) => cost >= 10 && cost <= 15),
      expects: 'a whole number from 10 to 15',
    },
    AllowQueryToken: {
      standard: 'true',
      parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
      expects: 'true or false',
    },
    CorsAllowedOrigins: {
      standard: '',
      parse: (text) => {
        const origins = text.split(',').flatMap((part) => part.trim() || []);
        return origins.every(origin) ? origins : undefined;
      },
      expects: 'origins such as https://app.example.com, separated by commas',
    },
    OwnerName: { standard: '', parse: (text) => text, expects: 'a text' },
    OwnerLanguage: {
      standard: 'en',
      parse: (text) => (/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(text) ? text : undefined),
      expects: 'a language tag such as en or de-AT',
    },
    ApiUrl: { standard: '', parse: url, expects: 'an http or https URL' },
  };

/** The names of all settings, without their prefix. */
export const SETTING_NAMES = Object.keys(SETTINGS) as (keyof Settings)[];

const PREFIX = 'Settings__';

/** The environment variable of a setting: `Settings__JwtExpireHours` for `Settings:JwtExpireHours`. */
export const settingVariable = (name: keyof Settings): string => `${PREFIX}${name}`;

/**
 * Reads every setting.
 *
 * @param read the text of a setting, or undefined for its default
 * @throws Error that names every setting with an invalid value, and what it expects
 */
export function readSettings(read: (name: keyof Settings) => string | undefined): Settings {
  const settings: Partial<Record<keyof Settings, unknown>> = {};
  const faults: string[] = [];
  for (const name of SETTING_NAMES) {
    const { standard, parse, expects } = SETTINGS[name];
    const text = read(name) ?? standard;
    settings[name] = parse(text);
    if (settings[name] === undefined) faults.push(`Settings:${name} expects ${expects}, not "${text}"`);
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return settings as Settings;
}

/** @throws Error that names what of `given` has the prefix of a setting, in whatever case, and is none */
export function refuseUnknownSettings(prefix: string, given: readonly string[]): void {
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
  refuseUnknownSettings(PREFIX, Object.keys(environment));
  return readSettings((name) => environment[settingVariable(name)]);
}
