import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import type { JSONWebKeySet, JWK } from 'jose';
import * as z from 'zod/mini';
import { faultless, listIn } from '../instance/list-setting.ts';
import type { Settings } from '../instance/settings.ts';
import { faultOfKey, reduced } from './public-keys.ts';

/** Kinds of issuers, each with its form of tokens. */
export const PLATFORMS = ['github', 'gitlab', 'kubernetes', 'google', 'aws', 'other'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** An issuer whose tokens may sign in machines, with the defaults of its platform. */
export interface Issuer {
  /** Name in trusts and commands. */
  readonly name: string;
  /** `iss` of its tokens; another final slash is another issuer. */
  readonly issuer: string;
  readonly platform: Platform;
  /** `aud` of its tokens, in place of the own issuer. */
  readonly audience?: string;
  /** Its keys, where they are not fetched. */
  readonly jwks?: JSONWebKeySet;
  /** Whether each of its tokens signs in once. */
  readonly single_use: boolean;
}

/** The job that refreshes the keys has a minute for all. */
export const MAX_ISSUERS = 50;

/** Maximum of the keys of an issuer: they are read with each login. Large issuers have ten. */
export const MAX_KEYS = 50;

/** Platforms that issue a token for each request. */
const ISSUE_FOR_ONE_USE: readonly Platform[] = ['github', 'aws'];

const KNOWN: readonly (readonly [Platform, RegExp])[] = [
  ['github', /^https:\/\/token\.actions\.(githubusercontent\.com|[a-z0-9-]+\.ghe\.com)(\/[^/]+)?$/],
  ['gitlab', /^https:\/\/gitlab\.com$/],
  ['google', /^https:\/\/accounts\.google\.com$/],
  ['aws', /^https:\/\/[a-z0-9-]+\.tokens\.sts\.global\.api\.aws$/],
  ['kubernetes', /^https:\/\/oidc\.eks\.[a-z0-9-]+\.amazonaws\.com(\.cn)?\/id\/[A-Z0-9]+$/],
  ['kubernetes', /^https:\/\/container\.googleapis\.com\/v1\/projects\//],
  ['kubernetes', /^https:\/\/[a-z0-9-]+\.oic\.prod-aks\.azure\.com\//],
];

/** The platform of a known issuer. */
export const platformOf = (issuer: string): Platform | undefined =>
  KNOWN.find(([, pattern]) => pattern.test(issuer))?.[0];

/** Whether an issuer is one of a local instance, which is served without TLS. */
export const isLocal = (issuer: string) => /^http:\/\/localhost(:\d+)?(\/|$)/.test(issuer);

/** Whether the host of a URL is an IP address, in any notation. */
export const hasAddress = ({ hostname }: URL) => isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;

function faultOfIssuer(text: string, allowsLocal: boolean): string | undefined {
  const expected = allowsLocal ? 'Must be an https URL, or an http URL of localhost' : 'Must be an https URL';
  if (!URL.canParse(text)) return expected;
  const url = new URL(text);
  const isOwn = allowsLocal && isLocal(text);
  if (url.protocol !== 'https:' && !isOwn) return expected;
  if (url.username || url.password) return 'Must not have a user or a password';
  if (/[?#]/.test(text)) return 'Must not have a query or a fragment';
  if (hasAddress(url)) return 'Must not have an IP address as its host';
  if (!isOwn && /^[^/]*\/\/[^/]*:/.test(text)) return 'Must not have a port';
  // A text that a parser changes would be compared with tokens as it is, and fetched as another one.
  const parsed = text.endsWith('/') ? url.href : url.href.replace(/\/$/, '');
  return parsed === text ? undefined : `Must be written as ${parsed}`;
}

const keySet = () =>
  z.object({
    keys: z.array(z.unknown().check(faultless(faultOfKey))).check(z.minLength(1), z.maxLength(MAX_KEYS)),
  });

const entry = (allowsLocal: boolean) =>
  z.strictObject({
    name: z
      .string()
      .check(
        z.regex(/^[a-z0-9](-?[a-z0-9])*$/, 'Must consist of a-z and 0-9, with single hyphens in between'),
        z.maxLength(40),
      ),
    issuer: z.string().check(faultless((text) => faultOfIssuer(text, allowsLocal))),
    platform: z.optional(z.enum(PLATFORMS)),
    audience: z.optional(z.string().check(z.minLength(1), z.maxLength(500))),
    jwks: z.optional(keySet()),
    single_use: z.optional(z.boolean()),
  });

type Entry = z.output<ReturnType<typeof entry>>;

/** What is wrong with a list of entries that are valid each, as `<index>.<member>` and the fault. */
const faultsBetween = (entries: readonly Entry[]) =>
  entries.flatMap(({ name, issuer, platform }, n) => {
    const before = entries.slice(0, n);
    const known = platformOf(issuer);
    return [
      ...(before.some((other) => other.name === name) ? [[`${n}.name`, 'Must not be repeated']] : []),
      ...(before.some((other) => other.issuer === issuer) ? [[`${n}.issuer`, 'Must not be repeated']] : []),
      ...(known && platform && platform !== known ? [[`${n}.platform`, `Must be ${known} or absent`]] : []),
    ];
  });

function withDefaults({ name, issuer, audience, jwks, ...given }: Entry): Issuer {
  const platform = given.platform ?? platformOf(issuer) ?? 'other';
  return {
    name,
    issuer,
    platform,
    ...(audience !== undefined && { audience }),
    ...(jwks && { jwks: { keys: (jwks.keys as JWK[]).map(reduced) } }),
    single_use: given.single_use ?? ISSUE_FOR_ONE_USE.includes(platform),
  };
}

/**
 * Reads the issuers of a setting.
 *
 * @param text a JSON list; empty for none
 * @param allowsLocal whether an issuer may be an http URL of localhost
 * @throws Error that names each issuer with a fault, its member, and what is expected
 */
export const issuersIn = (text: string, allowsLocal = false): readonly Issuer[] =>
  listIn(
    {
      name: 'Issuers',
      of: 'issuers',
      entry: entry(allowsLocal),
      max: MAX_ISSUERS,
      named: 'name',
      faultsBetween,
    },
    text,
  ).map(withDefaults);

/** The file beside the code of a function on AWS, where all variables of a function have 4 KB together. */
export const ISSUERS_FILE = 'issuers.json';

/**
 * The issuers of this instance: those of the setting, otherwise those of the file. Only a local instance has the variable,
 * so only there an issuer may be at localhost.
 */
export function issuersFromEnvironment({ Issuers }: Pick<Settings, 'Issuers'>): readonly Issuer[] {
  if (Issuers !== '') return issuersIn(Issuers, true);
  const file = join(import.meta.dirname, ISSUERS_FILE);
  return existsSync(file) ? issuersIn(readFileSync(file, 'utf8')) : [];
}
