import {
  EVENT_TYPES,
  type Expectations,
  MAX_AUDIT_DAYS,
  MAX_ERASURE_AFTER_DAYS,
  MAX_EXPIRE_HOURS,
  MAX_STAMP_CACHE_SECONDS,
  MAX_TOKEN_DAYS,
  SECOND_FACTORS,
  type Settings,
  settingsFromEnvironment,
} from './settings.ts';

const FLAG = 'true or false';

/** The values that each setting accepts, for people who set it. No function contains these texts. */
export const EXPECTATIONS: Expectations = {
  JwtExpireHours: `a number of hours above 0 and at most ${MAX_EXPIRE_HOURS}`,
  TokenMaxDays: `a whole number of days from 0 to ${MAX_TOKEN_DAYS}`,
  BcryptCost: 'a whole number from 10 to 15',
  BreachedPasswordCheck:
    'an https URL without credentials, query and fragment, or an http URL of localhost with the same restrictions',
  AuditDays: `a whole number of days from 1 to ${MAX_AUDIT_DAYS}`,
  ErasureAfterDays: `a whole number of days from 0 to ${MAX_ERASURE_AFTER_DAYS}`,
  AllowQueryToken: FLAG,
  SecondFactor: SECOND_FACTORS.join(', '),
  AdministratorTokens: FLAG,
  PasskeyDomain: 'a domain name in lower case, such as example.com',
  PasskeyOrigins:
    'Android apps as android:apk-key-hash: and the SHA-256 of their signing certificate in base64url (43 characters), separated by commas',
  SecurityStampCacheSeconds: `a whole number of seconds from 0 to ${MAX_STAMP_CACHE_SECONDS}`,
  CorsAllowedOrigins: 'origins such as https://app.example.com, separated by commas',
  Events: `some of ${EVENT_TYPES.join(', ')}, separated by commas`,
  Docs: FLAG,
  AdminPage: FLAG,
  OwnerName: 'a text',
  OwnerLogo: 'a data: URL of a PNG, JPEG, WebP or SVG image, at most 2,000 characters after its type',
  OwnerLanguage: 'a language tag such as en or de-AT',
  Issuers: 'a JSON list of issuers',
  Resources: 'a JSON list of resources',
  Issuer: 'an https origin without a path and a final slash, such as https://accounts.example.com',
  ApiUrl: 'an http or https URL without credentials',
};

/**
 * Reads every setting as people have given it.
 *
 * @throws Error as {@link settingsFromEnvironment}, which names the values that an invalid setting expects
 */
export const givenSettings = (environment: Parameters<typeof settingsFromEnvironment>[0]): Settings =>
  settingsFromEnvironment(environment, EXPECTATIONS);
