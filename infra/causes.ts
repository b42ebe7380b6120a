import type { Cause } from '#lib/failure/cause';

interface Explanation {
  readonly meaning: string;
  readonly remedy: string;
}

const SEND = 'Send the credential as it was issued';
const LOG_IN = 'Log in again';

/** The meaning of each cause of a refused credential, and its remedy. */
export const CAUSE_TEXTS: Readonly<Record<Cause, Explanation>> = {
  no_credential: {
    meaning: 'The request has no credential',
    remedy: 'Send one in the header `Authorization`',
  },
  query_token_disabled: {
    meaning: 'The credential is in the query, which the instance does not accept',
    remedy: 'Send it in the header; or set `Settings:AllowQueryToken`',
  },
  cookie_repeated: {
    meaning: 'The request has several cookies `ptoken`',
    remedy: 'Delete the cookies of other paths or domains in the browser',
  },
  unknown_scheme: {
    meaning: 'The scheme of the header is not `Bearer`, `Token` or `Basic`',
    remedy: 'Use one of these',
  },
  malformed_credential: {
    meaning: 'The text has not the form of the credential that its scheme announces',
    remedy: `${SEND}: an API token with \`Token\`, a session token with \`Bearer\``,
  },
  bad_checksum: { meaning: 'The API token is mistyped or cut off', remedy: SEND },
  malformed_session: {
    meaning: 'The session token has another algorithm, lacks a claim, or has one of another type',
    remedy: 'Find out who issued it: this service does not issue such tokens',
  },
  bad_signature: {
    meaning: 'The signature does not match the session token',
    remedy: `${SEND}; many from one address are an attack`,
  },
  unknown_key: {
    meaning:
      'No public key of the instance has the ID in the session token: the key has retired or was revoked',
    remedy: `${LOG_IN}; check that the token is from this instance`,
  },
  key_revoked: { meaning: 'The key of the session was revoked a few seconds ago', remedy: LOG_IN },
  wrong_issuer: {
    meaning: 'Another instance has issued the session token',
    remedy: 'Check the URL, the stage and `stackName`',
  },
  wrong_audience: {
    meaning: 'The session token is for another service',
    remedy: 'Check the URL, the stage and `stackName`',
  },
  wrong_type: { meaning: 'The token is no session token (`typ`)', remedy: 'Send the token of the login' },
  session_not_begun: {
    meaning: 'The session token begins in the future',
    remedy: 'Check the clock of the instance that issued it',
  },
  session_expired: { meaning: 'The session has expired', remedy: LOG_IN },
  session_ended: { meaning: 'The session was ended, by its account or an administrator', remedy: LOG_IN },
  secret_ended: {
    meaning: 'The API token that logged in the session was deleted or rotated',
    remedy: 'Log in with the new token',
  },
  passkey_removed: {
    meaning: 'The passkey that opened the session was removed',
    remedy: 'Log in again',
  },
  stamp_changed: {
    meaning:
      'All sessions of the account have ended: logout everywhere, new password, lock, cancel or reset stamp',
    remedy: LOG_IN,
  },
  unknown_token: {
    meaning: 'No API token has this secret: it was deleted or rotated, or is from another instance',
    remedy: 'Check the URL; create a token. `admin audit` shows who deleted it',
  },
  token_expired: {
    meaning:
      'The API token, or that of the session, has reached its end; after a rotation, that of the overlap',
    remedy: 'Create or rotate a token',
  },
  token_deleted: { meaning: 'The API token was deleted during the request', remedy: 'Create a token' },
  token_revoked: {
    meaning:
      'All API tokens of the account were revoked since the token was created; the session was logged in with such a token',
    remedy: 'Create a token. `admin audit` shows who revoked them',
  },
  wrong_address: {
    meaning: 'The source address is outside the address blocks of the credential',
    remedy: 'Compare the address in the audit line with `addresses` of the token',
  },
  account_unknown: {
    meaning: 'No account has this username, or another account has it now',
    remedy: 'Check the username and the instance',
  },
  account_cancelled: { meaning: 'The account is cancelled', remedy: 'An administrator may reactivate it' },
  account_locked: {
    meaning: 'An administrator has locked the account',
    remedy: 'An administrator may unlock it',
  },
  locked_out: {
    meaning: 'Too many logins failed, so passwords are refused for a time, right ones too',
    remedy: 'Wait, unlock the account, or set a password by a one-time code; find the source of the failures',
  },
  no_password: { meaning: 'The account has no password', remedy: 'Create a one-time code' },
  wrong_password: { meaning: 'The password is wrong', remedy: 'Create a one-time code if it is forgotten' },
  password_changed: { meaning: 'The password changed during the request', remedy: 'Use the new password' },
  no_code: {
    meaning:
      'The account has no one-time code, or one from before the upgrade that made codes record their maker',
    remedy: 'Create a one-time code',
  },
  wrong_code: { meaning: 'The one-time code is wrong, or was replaced', remedy: 'Use the latest code' },
  code_expired: { meaning: 'The one-time code has expired', remedy: 'Create a one-time code' },
  code_ended: {
    meaning:
      'The one-time code was used, or ended: by a new security stamp of its account, or by a remedy for the account that made it',
    remedy: 'Create a one-time code',
  },
  code_changed: {
    meaning: 'The one-time code was used or replaced during the request',
    remedy: 'Use the latest code',
  },
  address_blocked: {
    meaning:
      'An operator has blocked the source address: logins, codes and passkeys from there are 429, right ones too',
    remedy: '`admin login blocks` shows until when; `admin login unblock <address>` ends it',
  },
  unknown_passkey: {
    meaning: 'No passkey has this credential ID',
    remedy: 'Log in with the password and create a passkey; remove the old one on the device',
  },
  wrong_challenge: {
    meaning:
      'The assertion does not answer a challenge of this instance for an assertion, or one for another account',
    remedy:
      'Ask `account/passkey/options` for a challenge with the purpose `assert`, with the credential of the same account or without one',
  },
  challenge_expired: {
    meaning: 'The challenge of the assertion was older than <!-- challenge-minutes --> minutes',
    remedy: 'Ask for another challenge',
  },
  challenge_spent: {
    meaning: 'The challenge of the assertion was used before, for example by a repeated request',
    remedy: 'Ask for another challenge',
  },
  wrong_origin: {
    meaning:
      'The page or app that asked for the passkey has an origin that is not that of the base URL or an allowed one, or was in a frame of another origin',
    remedy:
      'Compare `Settings:ApiUrl`, `Settings:PasskeyDomain` and `Settings:CorsAllowedOrigins` with the address of the page, and open the page itself; of an Android app, compare `Settings:PasskeyOrigins` with its signing certificate',
  },
  wrong_assertion: {
    meaning:
      'The signature, the domain (RP ID) or the form of the assertion is wrong, or the device has not verified its user',
    remedy:
      'Use a device with a PIN or biometrics. If it happens to everyone, compare `Settings:PasskeyDomain` with the address of the page',
  },
  wrong_user_handle: {
    meaning: 'The device has this passkey for another account',
    remedy: 'Remove the passkey, and create another one',
  },
  passkey_cloned: {
    meaning:
      'The signature counter of the passkey is not above the stored one, as after a reset of the device: the assertion is an old one, or the device was copied',
    remedy:
      'If its owner has reset the device: remove the passkey, and create it again. Otherwise somebody has a copy: the remedy of [an account](../admin/stolen.md#an-account). `account list --counter-fell` finds all such accounts',
  },
  malformed_grant: {
    meaning:
      'The token of the issuer is no JWT with a supported algorithm, lacks a claim, or has one of another type',
    remedy: 'Run `trust try <file>` with the token',
  },
  unknown_trust: {
    meaning: 'The machine does not exist, is a person, or has no trust with this name',
    remedy: 'Name it as `<trust>@<machine>`',
  },
  trust_removed: {
    meaning: 'The trust that opened the session was deleted',
    remedy: 'Ask an administrator whether it shall work again; a new trust opens new sessions',
  },
  unknown_issuer: {
    meaning:
      'The token comes from another issuer than the trust names, or the settings do not have it any more',
    remedy: 'Compare `iss` with `Settings:Issuers`, also its final slash',
  },
  issuer_unreachable: {
    meaning: 'No keys of the issuer are known, and it does not tell them',
    remedy: 'Open its metadata; the next token that comes a minute later asks again',
  },
  grant_expired: {
    meaning: 'The token of the issuer has expired',
    remedy: 'Ask for a new one right before the request; check the clocks',
  },
  grant_not_begun: {
    meaning: 'The token of the issuer begins in the future',
    remedy: 'Check the clock of the issuer',
  },
  grant_too_long: {
    meaning: 'The token of the issuer is valid for more than a day',
    remedy: 'Ask for a shorter one',
  },
  wrong_subject: {
    meaning: 'The trust names another subject, or the token is one of an end user',
    remedy: 'Run `trust try <file>` with the token',
  },
  wrong_claim: {
    meaning: 'A claim has another value than the trust names',
    remedy: 'Run `trust try <file>` with the token; many are an attack, or a repository that was made anew',
  },
  grant_spent: {
    meaning: 'The token was used before, and its issuer gives tokens for one use',
    remedy: 'Ask for a new one for each login; otherwise somebody has copied it',
  },
};
