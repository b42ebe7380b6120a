/**
 * The closed list of causes of a refused credential or attempt, for the request's line of the log, and for the audit entry
 * of a refused login only: the answers of a code do not differ by them. `infra/causes.ts` explains each.
 */
export const CAUSES = [
  // As presented
  'no_credential',
  'query_token_disabled',
  'cookie_repeated',
  'unknown_scheme',
  'malformed_credential',
  'bad_checksum',
  // Sessions
  'malformed_session',
  'bad_signature',
  'unknown_key',
  'key_revoked',
  'wrong_issuer',
  'wrong_audience',
  'wrong_type',
  'session_not_begun',
  'session_expired',
  'session_ended',
  'secret_ended',
  'stamp_changed',
  'passkey_removed',
  // API tokens
  'unknown_token',
  'token_expired',
  'token_deleted',
  'token_revoked',
  'wrong_address',
  // Accounts
  'account_unknown',
  'account_cancelled',
  'account_locked',
  // Passwords and one-time codes
  'locked_out',
  'no_password',
  'wrong_password',
  'password_changed',
  'no_code',
  'wrong_code',
  'code_expired',
  'code_ended',
  'code_changed',
  // Source addresses
  'address_blocked',
  // Passkeys
  'unknown_passkey',
  'wrong_challenge',
  'challenge_expired',
  'challenge_spent',
  'wrong_origin',
  'wrong_assertion',
  'wrong_user_handle',
  'passkey_cloned',
  // Tokens of issuers, and the trusts that name them
  'malformed_grant',
  'unknown_trust',
  'trust_removed',
  'unknown_issuer',
  'issuer_unreachable',
  'grant_expired',
  'grant_not_begun',
  'grant_too_long',
  'wrong_subject',
  'wrong_claim',
  'grant_spent',
] as const;

export type Cause = (typeof CAUSES)[number];
