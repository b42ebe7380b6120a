import { CODE_HOURS, MAX_APPS, MAX_ROLES, MAX_TEAMS } from '#lib/account/limits';
import { MAX_PROPERTIES_BYTES } from '#lib/account/properties';
import { MAX_TOKENS } from '#lib/account/token-count';
import { MAX_BODY_BYTES } from '#lib/http/body';
import { type Limit, PER_ADDRESS, PER_NAME, PER_PAIR } from '#lib/login/attempts';
import { MAX_AGENT } from '#lib/login/session-record';
import { MAX_BYTES, MIN_BYTES } from '#lib/password/hash';
import { MAX_TOKEN_DAYS } from '#lib/settings';
import { preview } from '#lib/system/contracts';
import { DAY_MS } from '#lib/time';

const MINUTE_MS = 60_000;
const MIB = 1024 ** 2;

const failures = ({ max, windowMs }: Limit) => `${max} failures in ${windowMs / MINUTE_MS} minutes`;

const kib = (bytes: number) => (bytes < MIB ? `${bytes / 1024} KiB` : `${bytes / MIB} MiB`);

/** Limits in words, by the name of their markers in pages. */
export const LIMITS = {
  'limit-of-pair': failures(PER_PAIR),
  'limit-of-address': failures(PER_ADDRESS),
  'limit-of-name': failures(PER_NAME),
  lockout: `${(PER_NAME.lockoutMs ?? 0) / MINUTE_MS} minutes`,
  'known-for': `${(PER_PAIR.knownMs ?? 0) / DAY_MS} days`,
  'of-account': `${MAX_TOKENS} tokens, ${MAX_TEAMS} teams, ${MAX_ROLES} roles and ${MAX_APPS} applications`,
  body: kib(MAX_BODY_BYTES),
  'preview-body': kib(preview.maxBodyBytes),
  properties: kib(MAX_PROPERTIES_BYTES),
  'password-bytes': `${MIN_BYTES} to ${MAX_BYTES}`,
  'code-hours': `${CODE_HOURS}`,
  'token-days': `${MAX_TOKEN_DAYS}`,
  agent: `${MAX_AGENT}`,
} as const;

/** Replaces each marker, such as `<!-- lockout -->`, by its limit. */
export const withLimits = (text: string): string =>
  Object.entries(LIMITS).reduce(
    (before, [name, words]) => before.replaceAll(`<!-- ${name} -->`, words),
    text,
  );
