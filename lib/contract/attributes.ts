import type { Account, Password, PropertiesText } from '../item/account.ts';
import type { Act, AuditItem } from '../item/audit-entry.ts';
import type { Cancellation } from '../item/cancellation.ts';
import type { EndedItem } from '../item/ended.ts';
import type { Erased, Erasure } from '../item/erasure.ts';
import type { ExportPages } from '../item/export-pages.ts';
import { type FilledIn, UNFILLED } from '../item/fields.ts';
import type {
  Counter,
  ErasureKeyCheck,
  PasswordCost,
  PublicKeyItem,
  Slice,
  TableSecret,
} from '../item/instance.ts';
import type { IssuerKeys } from '../item/issuer.ts';
import type { AddressBlock, LoginAttempts } from '../item/login-attempts.ts';
import type { Made } from '../item/made.ts';
import type { OneTimeCode } from '../item/one-time-code.ts';
import type { PendingEvent } from '../item/outbox-event.ts';
import type { Pass } from '../item/pass.ts';
import type { Passkey, SpentChallenge } from '../item/passkey.ts';
import type { SessionRecord } from '../item/session.ts';
import type { StoredTeam } from '../item/team.ts';
import type { Reminder, Revocation, StoredToken, TokenName } from '../item/token.ts';
import type { SpentGrant, TrustItem } from '../item/trust.ts';
import type { directoryIndex, PARTITIONS, tokenIndex, trustIndex } from '../table/keys.ts';

/** The items of each kind. */
interface Items {
  readonly ACCOUNT: (Account & ReturnType<typeof directoryIndex>) | PropertiesText | TokenName;
  readonly ATTEMPTS: LoginAttempts;
  readonly ACTS: Act;
  readonly AUDIT: AuditItem;
  readonly BLOCKS: AddressBlock;
  readonly CANCELLED: Cancellation;
  readonly CODE: OneTimeCode;
  readonly CHALLENGES: TableSecret;
  readonly CURSORS: TableSecret;
  readonly ENDED: EndedItem;
  readonly ERASED: Erased;
  readonly ERASING: Erasure | Pass;
  readonly ERASURE_KEY: ErasureKeyCheck;
  readonly EXPIRING: Reminder;
  readonly EXPORTS: ExportPages;
  readonly GRANT: SpentGrant;
  readonly ISSUER: IssuerKeys;
  readonly KEYS: PublicKeyItem;
  readonly RESOURCE_KEYS: PublicKeyItem;
  readonly MADE: Made;
  readonly NAMES: TokenName;
  readonly OUTBOX: PendingEvent;
  readonly PASSKEY: Passkey;
  readonly PASSWORD: Password;
  readonly REVOKED: Revocation;
  readonly SESSION: SessionRecord;
  readonly SLICE: Slice;
  readonly SPENT: SpentChallenge;
  readonly STATS: Counter | PasswordCost;
  readonly FOLLOWING: Pass;
  readonly TEAMS: StoredTeam;
  readonly TOKEN: StoredToken & ReturnType<typeof tokenIndex>;
  readonly TRUST: TrustItem & ReturnType<typeof trustIndex>;
}

/** The name of an attribute; a pattern such as `active:*` if its end varies. */
type PatternOf<Name> = Name extends `${infer Fixed}:${string}` ? `${Fixed}:*` : Name;

/** Names of attributes of an item, or `*` for all, as patterns of IAM's `StringLike`. */
type Names<Item> = readonly (Item extends unknown ? PatternOf<keyof Item> : never)[] | readonly ['*'];

/** Attributes of each write, by the kind of item, or by `<kind>:<write>` if its writes differ. */
export type WriteAttributes = {
  readonly [Kind in keyof typeof PARTITIONS as Kind | `${Kind}:${string}`]?: Names<Items[Kind]>;
};

const FILLED_IN = Object.keys(UNFILLED) as (keyof FilledIn)[];

const MEMBERSHIPS = [
  'apps',
  'roles',
  'team_id',
  'team_name',
  'teams',
  'transitions',
  'user_app_name',
] as const;

const TOKENS = [
  'ended',
  'ended_until',
  'token_count',
  'token_ends',
  'token_generation',
  'transitions',
  'user_app_name',
] as const;

/** Attributes that a write may name in its item, its update and its conditions, in addition to the primary key. */
export const ATTRIBUTES = {
  'ACCOUNT:activity': ['lastActivity', 'never_used'],
  'ACCOUNT:cancel': [
    'cancelled_at',
    'cancelled_by',
    'code_generation',
    'isactive',
    'sequence_user_cancel',
    'stamp',
    'transitions',
    'user_app_name',
  ],
  'ACCOUNT:code': ['open_code'],
  'ACCOUNT:code-maker': ['code_generation'],
  'ACCOUNT:context': ['transitions', 'user_app_name'],
  'ACCOUNT:copy': MEMBERSHIPS,
  'ACCOUNT:counter': ['counters_fell'],
  'ACCOUNT:create': [
    ...FILLED_IN,
    'GSI1PK',
    'GSI1SK',
    'apps',
    'created_at',
    'emailconfirmed',
    'id',
    'isactive',
    'kind',
    'lastActivity',
    'lockoutenabled',
    'names_apart',
    'never_used',
    'open_code',
    'owner',
    'password_set',
    'roles',
    'stamp',
    'team_id',
    'team_name',
    'teams',
    'token_count',
    'user_app_name',
    'user_avatar',
    'user_home',
    'username',
  ],
  // Conditions of the deletion: its writes count what they report.
  'ACCOUNT:erase': [
    'lastActivity',
    'never_used',
    'sequence_user_erase',
    'token_generation',
    'transitions',
    'user_app_name',
  ],
  'ACCOUNT:pseudonym': ['cancelled_by', 'owner'],
  'ACCOUNT:ended': ['ended', 'ended_until', 'stamp', 'transitions'],
  'ACCOUNT:follow': ['team_id', 'team_name', 'teams', 'transitions'],
  // The token of a name, where earlier versions stored it.
  'ACCOUNT:former-name': ['sha256'],
  'ACCOUNT:guard': ['transitions'],
  'ACCOUNT:session-guard': ['ended', 'ended_until', 'stamp', 'token_generation', 'transitions'],
  'ACCOUNT:expiring': ['sequence_token_expiring', 'token_generation', 'transitions', 'user_app_name'],
  'ACCOUNT:lock': [
    'code_generation',
    'lock_reason',
    'lockoutend',
    'sequence_user_lock',
    'stamp',
    'transitions',
    'user_app_name',
  ],
  'ACCOUNT:lockout': ['failures_cleared_at', 'lock_reason', 'lockoutenabled', 'lockoutend', 'transitions'],
  'ACCOUNT:logout': ['stamp', 'transitions'],
  'ACCOUNT:memberships': [...MEMBERSHIPS, 'code_generation', 'owner'],
  // An account becomes one of a machine: what lets a person in ends.
  'ACCOUNT:machine': [
    'code_generation',
    'counters_fell',
    'enrolments',
    'kind',
    'owner',
    'passkeys',
    'sequence_passkey_delete',
    'stamp',
    'transitions',
    'user_app_name',
  ],
  'ACCOUNT:passkey_create': [
    'ended',
    'ended_until',
    'counters_fell',
    'enrolments',
    'passkeys',
    'sequence_passkey_create',
    'stamp',
    'transitions',
    'user_app_name',
  ],
  'ACCOUNT:passkey_delete': [
    'counters_fell',
    'enrolments',
    'passkeys',
    'sequence_passkey_delete',
    'transitions',
    'user_app_name',
  ],
  // An operator ends the sessions of the account and the codes that it has made, too.
  'ACCOUNT:passkey_remedy': [
    'code_generation',
    'counters_fell',
    'enrolments',
    'passkeys',
    'sequence_passkey_delete',
    'stamp',
    'transitions',
    'user_app_name',
  ],
  'ACCOUNT:password': [
    'code_generation',
    'counters_fell',
    'enrolments',
    'open_code',
    'passkeys',
    'password_set',
    'sequence_passkey_delete',
    'sequence_password_change',
    'stamp',
    'transitions',
    'user_app_name',
  ],
  'ACCOUNT:password-note': ['open_code', 'password_set'],
  'ACCOUNT:profile': [
    ...FILLED_IN,
    'emailconfirmed',
    'id',
    'json',
    'team_id',
    'team_name',
    'transitions',
    'user_app_name',
    'user_home',
  ],
  'ACCOUNT:properties': ['json'],
  'ACCOUNT:reactivate': [
    'cancelled_at',
    'cancelled_by',
    'counters_fell',
    'enrolments',
    'isactive',
    'passkeys',
    'sequence_passkey_delete',
    'sequence_trust_delete',
    'sequence_user_reactivate',
    'token_count',
    'token_ends',
    'token_generation',
    'transitions',
    'trusts',
    'user_app_name',
  ],
  'ACCOUNT:removal': ['sequence_token_delete', 'transitions', 'user_app_name'],
  'ACCOUNT:revoke': ['code_generation', 'token_count', 'token_ends', 'token_generation', 'transitions'],
  'ACCOUNT:token_create': [...TOKENS, 'sequence_token_create', 'stamp'],
  'ACCOUNT:token_delete': [...TOKENS, 'sequence_token_delete'],
  'ACCOUNT:token_rotate': [...TOKENS, 'sequence_token_rotate', 'stamp'],
  'ACCOUNT:trust_create': ['sequence_trust_create', 'transitions', 'trusts', 'user_app_name'],
  'ACCOUNT:trust_delete': ['sequence_trust_delete', 'transitions', 'trusts', 'user_app_name'],
  'ACCOUNT:reset-stamp': ['code_generation', 'stamp'],
  'ACCOUNT:unlock': [
    'failures_cleared_at',
    'lock_reason',
    'lockoutend',
    'sequence_user_unlock',
    'transitions',
    'user_app_name',
  ],
  ISSUER: ['asked_at', 'fault', 'fetched_at', 'issuer_url', 'jwks'],
  'KEYS:publish': ['expires_at', 'jwk', 'published_at', 'secret_id', 'secret_version'],
  'RESOURCE_KEYS:publish': ['expires_at', 'jwk', 'published_at', 'secret_id', 'secret_version'],
  'TOKEN:create': [
    'GSI1PK',
    'GSI1SK',
    'access',
    'addresses',
    'description',
    'expires_at',
    'last4',
    'name',
    'of_generation',
    'token_created_at',
    'token_created_by',
    'token_owner',
    'token_roles',
    'ttl',
    'userid',
  ],
  'TOKEN:end': ['expires_at', 'session_until', 'ttl'],
  'TOKEN:pseudonym': ['token_created_by'],
  'TOKEN:overlap': ['GSI1PK', 'GSI1SK', 'expires_at', 'session_until', 'ttl'],
  'TOKEN:session': ['expires_at', 'session_until'],
  'TOKEN:use': ['token_used_at'],
  'OUTBOX:user_cancel': ['createdAt', 'user_cancel'],
  'OUTBOX:user_reactivate': ['createdAt', 'user_reactivate'],
  'OUTBOX:user_erase': ['createdAt', 'user_erase'],
  'OUTBOX:user_create': ['createdAt', 'user_create'],
  'OUTBOX:user_lock': ['createdAt', 'user_lock'],
  'OUTBOX:user_unlock': ['createdAt', 'user_unlock'],
  'OUTBOX:token_create': ['createdAt', 'token_create'],
  'OUTBOX:token_delete': ['createdAt', 'token_delete'],
  'OUTBOX:token_expiring': ['createdAt', 'token_expiring'],
  'OUTBOX:password_change': ['createdAt', 'password_change'],
  'OUTBOX:token_rotate': ['createdAt', 'token_rotate'],
  'OUTBOX:team_create': ['createdAt', 'team_create'],
  'OUTBOX:team_rename': ['createdAt', 'team_rename'],
  'OUTBOX:team_delete': ['createdAt', 'team_delete'],
  'OUTBOX:passkey_create': ['createdAt', 'passkey_create'],
  'OUTBOX:passkey_delete': ['createdAt', 'passkey_delete'],
  'OUTBOX:trust_create': ['createdAt', 'trust_create'],
  'OUTBOX:trust_delete': ['createdAt', 'trust_delete'],
  'OUTBOX:trial': ['attempts', 'createdAt', 'lastError', 'nextAttemptAt', 'setAsideAt'],
  TRUST: [
    'GSI1PK',
    'GSI1SK',
    'access',
    'addresses',
    'max_minutes',
    'trust_claims',
    'trust_created_at',
    'trust_created_by',
    'trust_id',
    'trust_issuer',
    'trust_name',
    'trust_owner',
    'trust_roles',
    'trust_subject',
    'ttl',
  ],
  'TRUST:end': ['GSI1PK', 'GSI1SK', 'ttl'],
  'TRUST:pseudonym': ['trust_created_by'],
  'SLICE:active': ['active:*'],
  // One write names an item once.
  'SLICE:erase': ['active:*', 'until:*'],
  'SLICE:until': ['until:*'],
  'STATS:cost': ['cost', 'imported', 'sha1', 'sha256', 'sha512'],
  'STATS:counter': ['n'],
  ATTEMPTS: ['*'],
  'ATTEMPTS:block': ['blocked_until', 'ttl'],
  BLOCKS: ['blocked_at', 'blocked_by', 'blocked_until', 'ttl'],
  'AUDIT:fold': [
    'GSI1PK',
    'GSI1SK',
    'action',
    'actor',
    'changed',
    'count',
    'counted_until',
    'credential',
    'details',
    'first_at',
    'last_at',
    'outcome',
    'requestId',
    'source',
    'sources',
    'target',
    'time',
    'ttl',
  ],
  'AUDIT:pseudonym': ['GSI1PK', 'actor', 'credential', 'details', 'source', 'sources', 'target'],
  CANCELLED: ['cancelled_at', 'cancelled_username'],
  'CANCELLED:end': ['cancelled_at', 'cancelled_username', 'ttl'],
  CODE: [
    'code_created_at',
    'code_created_by',
    'code_ends_passkeys',
    'code_maker_generation',
    'code_sha256',
    'code_stamp',
    'expires_at',
    'ttl',
  ],
  'CODE:pseudonym': ['code_created_by'],
  'CODE:open': ['expires_at'],
  'CODE:use': ['code_sha256'],
  CHALLENGES: ['secret'],
  CURSORS: ['secret'],
  ENDED: ['ended_at', 'ttl'],
  ERASED: ['erased_at', 'erased_by', 'erased_id', 'name_reused_at'],
  'ERASED:name': ['name_reused_at'],
  'ERASED:pseudonym': ['erased_by'],
  'ERASED:reuse': ['erased_id', 'name_reused_at'],
  ERASING: [
    'erased_at',
    'erasing_cancellation',
    'erasing_generation',
    'erasing_passkeys',
    'erasing_trusts',
    'erasing_username',
  ],
  'ERASING:pass': ['began_at', 'cursor', 'ended_at'],
  ERASURE_KEY: ['key_check'],
  'EXPIRING:announced': ['announced'],
  EXPORTS: ['pages', 'ttl'],
  EXPIRING: ['announced', 'days', 'expires_at', 'name', 'of_generation', 'token_owner', 'ttl'],
  MADE: ['made_for', 'name', 'salt', 'sealed', 'tag', 'terms', 'ttl'],
  NAMES: ['expires_at', 'former', 'sha256', 'ttl'],
  PASSKEY: [
    'backed_up',
    'backup_eligible',
    'counter',
    'credential_id',
    'passkey_created_at',
    'passkey_name',
    'passkey_owner',
    'passkey_used_at',
    'public_key',
    'rp_id',
    'transports',
    'ttl',
  ],
  'PASSKEY:end': ['ttl'],
  'PASSKEY:use': ['backed_up', 'counter', 'passkey_used_at'],
  PASSWORD: ['hash'],
  'REVOKED:pseudonym': ['revoked_by'],
  // The event of a reactivation reports the tokens.
  'REVOKED:silent': ['revoked_at', 'revoked_generation', 'revoked_of'],
  REVOKED: ['revoked_at', 'revoked_by', 'revoked_generation', 'revoked_in', 'revoked_of'],
  GRANT: ['ttl'],
  SPENT: ['ttl'],
  FOLLOWING: ['began_at', 'cursor', 'ended_at'],
  TEAMS: ['team_id', 'team_name', 'team_short', 'team_type'],
  'TEAMS:delete': ['changed_at', 'sequence_team_delete', 'successor', 'team_id', 'team_name', 'transitions'],
  'TEAMS:followed': ['changed_at'],
  'TEAMS:rename': ['changed_at', 'sequence_team_rename', 'successor', 'team_id', 'team_name', 'transitions'],
  'SESSION:passkey': ['address', 'created_at', 'credential', 'kid', 'passkey', 'stamp', 'ttl', 'user_agent'],
  'SESSION:password': ['address', 'created_at', 'credential', 'kid', 'stamp', 'ttl', 'user_agent'],
  'SESSION:trust': [
    'address',
    'created_at',
    'credential',
    'kid',
    'limits',
    'of_generation',
    'stamp',
    'trust',
    'ttl',
    'user_agent',
  ],
  SESSION: [
    'address',
    'created_at',
    'credential',
    'kid',
    'limits',
    'of_generation',
    'secret',
    'stamp',
    'ttl',
    'user_agent',
  ],
} as const satisfies WriteAttributes;

/** A write of one kind of item, with a name if there are several. */
export type WriteKind = keyof typeof ATTRIBUTES;
