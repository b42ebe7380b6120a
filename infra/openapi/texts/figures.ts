import { MAX_CANCELLED } from '#lib/account/directory/browse';
import { CODE_HOURS, MAX_APPS, MAX_CODE_HOURS, MAX_ROLES, MAX_TEAMS } from '#lib/account/maxima';
import { MAX_PROPERTIES_BYTES } from '#lib/account/properties';
import { MAX_TOKENS } from '#lib/account/tokens/count';
import { MAX_NAMED } from '#lib/audit/names';
import { MAX_ASSERTION_AGE } from '#lib/auth/step-up';
import { GATEWAY_THROTTLE } from '#lib/contract/contract';
import { MAX_ATTEMPTS } from '#lib/export/entries';
import { PAGES_A_MINUTE } from '#lib/export/pages';
import { MAX_BODY_BYTES } from '#lib/http/body';
import { REPEATABLE_MS } from '#lib/idempotency/once';
import { MAX_DEPTH, MAX_JSON_TOKENS } from '#lib/input/strict-json';
import { MAX_AUDIT_DAYS, MAX_STAMP_CACHE_SECONDS, MAX_TOKEN_DAYS, SETTINGS } from '#lib/instance/settings';
import { DAYS_AHEAD } from '#lib/item/token';
import { type AttemptLimit, PER_ADDRESS, PER_NAME, PER_PAIR } from '#lib/login/attempts';
import { contract as login } from '#lib/login/login.contract';
import { MAX_AGENT } from '#lib/login/session-record';
import { MAX_DUE } from '#lib/outbox/outbox';
import { SET_ASIDE_AFTER_HOURS } from '#lib/outbox/set-aside';
import { CHALLENGE_SECONDS } from '#lib/passkey/challenge';
import { MAX_PASSKEYS } from '#lib/passkey/maxima';
import { RECENT_SECONDS } from '#lib/passkey/recent';
import { BREACH_CHECK_MS } from '#lib/password/breached';
import { MAX_BYTES, MIN_BYTES } from '#lib/password/length';
import { HELD_MS } from '#lib/pseudonym/name-hash';
import { MAX_RESOURCE_MINUTES, RESOURCE_MINUTES } from '#lib/resource/resources';
import {
  CHECK_MS,
  GATEWAY_CACHE_SECONDS,
  JWKS_MAX_AGE_SECONDS,
  LEAD_MS,
  RESOURCE_LEAD_MS,
} from '#lib/session/lead';
import { contract as preview } from '#lib/system/preview.contract';
import { MAX_EXAMINED } from '#lib/table/listing';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/time';
import { MAX_CLAIMS, MAX_MINUTES, MAX_TRUSTS, MINUTES } from '#lib/trust/maxima';
import { MOST_ENDPOINTS } from '../../stages/limits.ts';
import { DEAD_LETTER_DAYS, OPTIONS } from '../../stages/options.ts';

const MIB = 1024 ** 2;

const failures = ({ max, windowMs }: AttemptLimit) => `${max} failures in ${windowMs / MINUTE_MS} minutes`;

const kib = (bytes: number) => (bytes < MIB ? `${bytes / 1024} KiB` : `${bytes / MIB} MiB`);

/** Limits in words, by the name of their markers in pages. */
export const FIGURES = {
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
  'max-code-hours': `${MAX_CODE_HOURS}`,
  'max-passkeys': `${MAX_PASSKEYS}`,
  'max-trusts': `${MAX_TRUSTS}`,
  'max-claims': `${MAX_CLAIMS}`,
  'max-trust-minutes': `${MAX_MINUTES}`,
  'trust-minutes': `${MINUTES}`,
  'resource-minutes': `${RESOURCE_MINUTES}`,
  'max-resource-minutes': `${MAX_RESOURCE_MINUTES}`,
  'gateway-cache-hours': `${GATEWAY_CACHE_SECONDS / 3600}`,
  'challenge-minutes': `${CHALLENGE_SECONDS / 60}`,
  'recent-minutes': `${RECENT_SECONDS / 60}`,
  'days-ahead': DAYS_AHEAD.join(' and '),
  examined: MAX_EXAMINED.toLocaleString('en'),
  'named-entries': `${MAX_NAMED}`,
  depth: `${MAX_DEPTH}`,
  'json-tokens': MAX_JSON_TOKENS.toLocaleString('en'),
  rates: `${GATEWAY_THROTTLE.rate.toLocaleString('en')} requests a second, and fewer for expensive operations: ${login.throttle.rate} logins, ${preview.throttle.rate} previews`,
  'most-endpoints': `${MOST_ENDPOINTS}`,
  quota: `${login.reserved + preview.reserved + 100}`,
  'token-days': `${MAX_TOKEN_DAYS}`,
  agent: `${MAX_AGENT}`,
  'erasure-key-held': `${HELD_MS / MINUTE_MS} minutes`,
  'erasure-days': `${SETTINGS.ErasureAfterDays.value}`,
  'session-hours': `${SETTINGS.JwtExpireHours.value}`,
  'assertion-age': `${MAX_ASSERTION_AGE / 60} minutes`,
  'repeat-hours': `${REPEATABLE_MS / HOUR_MS}`,
  cancelled: MAX_CANCELLED.toLocaleString('en'),
  'audit-days': `${SETTINGS.AuditDays.value}`,
  'export-pages': `${PAGES_A_MINUTE}`,
  'export-attempts': MAX_ATTEMPTS.toLocaleString('en'),
  'log-days': `${MAX_AUDIT_DAYS}`,
  'stage-log-days': OPTIONS.logRetentionDays.standard,
  'archive-days': OPTIONS.archiveDays.standard,
  'dead-letter-days': `${DEAD_LETTER_DAYS}`,
  'copy-seconds': `${MAX_STAMP_CACHE_SECONDS}`,
  'address-minutes': `${PER_ADDRESS.windowMs / MINUTE_MS}`,
  'breach-ms': `${BREACH_CHECK_MS}`,
  'set-aside-hours': `${SET_ASIDE_AFTER_HOURS}`,
  due: `${MAX_DUE}`,
  'key-check': `${CHECK_MS / 1000} seconds`,
  'key-lead': `${LEAD_MS / MINUTE_MS} minutes`,
  'resource-lead': `${RESOURCE_LEAD_MS / MINUTE_MS} minutes`,
  'gateway-cache': `${GATEWAY_CACHE_SECONDS / 3600} hours`,
  'key-list': `${JWKS_MAX_AGE_SECONDS / 60} minutes`,
} as const;

/** Replaces each marker, such as `<!-- lockout -->`, by its limit. */
export const withFigures = (text: string): string =>
  Object.entries(FIGURES).reduce(
    (before, [name, words]) => before.replaceAll(`<!-- ${name} -->`, words),
    text,
  );
