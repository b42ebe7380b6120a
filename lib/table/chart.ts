import * as keys from './keys.ts';

/** A kind of item: its description, its key with placeholders in angle brackets, and its use in indexes. */
export type Entity = readonly [item: string, key: keys.Key, index?: string];

const username = '<username>';

/** The entity chart: every kind of item of the table. The README of this folder shows it. */
export const CHART: readonly Entity[] = [
  [
    'account, its roles, teams and apps',
    keys.accountKey(username),
    `GSI1: the directory, in ${keys.SHARDS} shards`,
  ],
  ['password hash', keys.passwordKey(username)],
  ['one-time code for a new password; expires', keys.codeKey(username)],
  ['custom properties', keys.propertiesKey(username)],
  [
    'name of a token, by the generation if it is not the first; may expire',
    keys.tokenNameKey(username, '<name>', 1),
  ],
  [
    'name of a token of an earlier version, empty when it is free again',
    keys.formerTokenNameKey(username, '<name>'),
  ],
  [
    'generation of tokens that was revoked, until the items of the tokens are removed',
    keys.revocationKey(username, 1),
  ],
  ['account or token of an `Idempotency-Key`, by its creator; expires', keys.madeKey(username, '<key>')],
  ['session, for lists; expires', keys.sessionKey(username, '<id>')],
  ['end of a session or secret that its account has no room for; expires', keys.endedKey(username, '<id>')],
  ['API token; may expire', keys.tokenKey('<sha256>'), `GSI1: all tokens, in ${keys.SHARDS} shards`],
  ['trust of a machine', keys.trustKey(username, '<name>'), `GSI1: all trusts, in ${keys.SHARDS} shards`],
  [
    'end of a token to announce, by the date; expires',
    keys.reminderKey(Date.UTC(2026, 10, 20), username, '<name>'),
  ],
  ['attempts to log in, by name; expire', keys.attemptsOnNameKey(username)],
  ['the same, by name and address; expire', keys.attemptsOfPairKey(username, '<address>')],
  ['the same, by address; expire', keys.attemptsFromAddressKey('<address>')],
  ['attempts with a code, by name and address; expire', keys.codeAttemptsOfPairKey(username, '<address>')],
  ['attempts with a code, by address; expire', keys.codeAttemptsFromAddressKey('<address>')],
  ['attempts with a passkey, by address; expire', keys.passkeyAttemptsFromAddressKey('<address>')],
  ['source address that may not log in; expires', keys.blockKey('<address>')],
  ['passkey, by the hash of its credential ID', keys.passkeyKey('<sha256>')],
  ['challenge for a passkey that was used; expires', keys.spentKey('<id>')],
  [
    `cancelled account, by the time of it, in ${keys.SHARDS} shards; expires once it is reactivated`,
    keys.cancellationKey(username, '<cancelled_at>'),
  ],
  [
    `audit entry, by its time, in ${keys.SHARDS} shards a month; expires`,
    { PK: keys.auditKey('2026-11', '').PK, SK: '<time>#<hash>' },
    'GSI1: the entries of an account and its tokens, or of another target; refusals of others in `REFUSALS#`',
  ],
  [
    'what an account did to others: where the audit entry is; expires',
    { PK: keys.actsOf(username, { after: '', before: '' }).PK, SK: '<time>#<hash>' },
  ],
  [
    'pages that a credential exports in a minute; expires',
    keys.exportPagesKey(username, '<credential>', '<minute>'),
  ],
  ['erased account, by the keyed hash of its username', keys.erasedNameKey('<hash>')],
  ['the same, by its ID', keys.erasedIdKey('<id>')],
  ['erasure that is not complete', keys.erasureKey('<id>')],
  ['check value of the erasure key', keys.erasureKeyCheckKey],
  ['pass of the job that completes erasures', keys.erasurePassKey],
  ['team, also one that is being deleted', keys.teamKey('<short>')],
  ['pass of the job that changes the copies of teams in accounts', keys.teamPassKey],
  ['keys of an issuer of tokens, as fetched last', { PK: 'ISSUER#<sha256>', SK: keys.issuerKey('').SK }],
  [
    'token of an issuer that was used for good; expires',
    { PK: 'GRANT#<sha256>', SK: keys.spentGrantKey('', '').SK },
  ],
  ['pending event', keys.outboxKey('<id>')],
  ['public key of sessions', keys.publicKeyItemKey('<kid>')],
  ['public key of tokens for other services', keys.resourceKeyItemKey('<kid>')],
  ['secret that signs cursors', keys.cursorSecretKey],
  ['secret that signs challenges for passkeys', keys.challengeSecretKey],
  ['highest cost of a password hash', keys.passwordCostKey],
  ['counter of accounts, one of its shards', keys.counterKey('<counter>', username)],
  ['days of the last activity, ends of lockouts: how many accounts, one slice', keys.sliceKey(username)],
];
