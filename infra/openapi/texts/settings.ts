import type { SettingName } from '#lib/settings';

/** Descriptions of the settings; outside `lib`, so that no function carries the text. */
export const SETTING_TEXTS: Readonly<Record<SettingName, string>> = {
  JwtExpireHours: 'Lifetime of a session token; fractions are allowed.',
  TokenMaxDays:
    'Longest lifetime of a new API token. With 0, new tokens live as long as they request, or have no end.',
  BcryptCost: 'bcrypt cost of passwords. A login rehashes a password that has another cost.',
  BreachedPasswordCheck:
    'URL of a range service (k-anonymity), such as `https://api.pwnedpasswords.com/range`, that new passwords are checked with. It receives five digits of their SHA-1. Without an answer within 300 ms, a password is accepted.',
  AuditDays:
    'How long `GET audit/browse` lists an audit entry. A longer time applies to entries from then on. The audit log itself is kept for 365 days.',
  AllowQueryToken: 'Whether `ptoken` in the query is accepted. Turn it off on the public internet.',
  SecurityStampCacheSeconds:
    'How long the ping, preview and UUID endpoints may use a cached account. Lock, cancel, logout and the end of a session take up to this long to reach them.',
  CorsAllowedOrigins: 'Origins whose pages may call the API, with the session cookie too.',
  Events: 'Events to publish. `user_cancel` and `user_reactivate` are always published.',
  Docs: 'Whether the documentation page and the OpenAPI document are public. They contain nothing that is not in this repository.',
  AdminPage:
    "Whether the administrator's page is served. It shows nothing without a session of an administrator.",
  OwnerName: 'Name of the owner, as the instance reports it.',
  OwnerLanguage: 'Language of the owner (RFC 5646).',
  ApiUrl: 'Base URL that the instance reports; by default the URL of the gateway.',
};
