import type { Cause } from '../failure/cause.ts';
import type { FilledIn } from './fields.ts';
import type { Sequences } from './sequence.ts';
import type { Membership } from './team.ts';

/**
 * The account item: everything that an authentication needs and that the directory lists, in one read. Attributes have
 * the names of the interface; times are ISO 8601.
 */
export interface Account extends FilledIn, Sequences {
  readonly id: string;
  /** Username as created; unique without regard to case. */
  readonly username: string;
  /** Security stamp, which session tokens contain. A new stamp ends all sessions. */
  readonly stamp: string;
  readonly isactive: boolean;
  readonly lockoutenabled: boolean;
  /** End of the lock or lockout, with an offset; {@link FOREVER} for a lock that only an administrator ends. */
  readonly lockoutend?: string;
  /**
   * Reason of a lock by an administrator; empty without one. Absent from temporary lockouts, and from locks of earlier
   * versions, which all are {@link FOREVER}.
   */
  readonly lock_reason?: string;
  /** Login failures up to this time are not counted; in milliseconds since the epoch. */
  readonly failures_cleared_at?: number;
  /** Whether the account has a password; absent from accounts of earlier versions until a new password, or a survey of all. */
  readonly password_set?: boolean;
  /** The last one-time code that it was given; absent without one, and from accounts of earlier versions. */
  readonly open_code?: OpenCode;
  /** UTC without a zone; the time of creation until the first use. */
  readonly lastActivity: string;
  /** Whether the account was never used, so that no day counts it; absent from accounts of earlier versions. */
  readonly never_used?: boolean;
  readonly roles: readonly string[];
  readonly apps: readonly string[];
  readonly teams: readonly Membership[];
  /** Number of API tokens, with those in {@link token_ends}. */
  readonly token_count: number;
  /** Ends of the tokens that have one, in milliseconds since the epoch. The next change of the tokens drops passed ends. */
  readonly token_ends?: readonly number[];
  /** Grows whenever all tokens are revoked at once; absent for 0. Tokens of another generation have ended. */
  readonly token_generation?: number;
  /** Whether all token names are in partitions of their own; absent from accounts of earlier versions. */
  readonly names_apart?: boolean;
  /** Sessions, and secrets of tokens with all their sessions, that end before their time; by ID. */
  readonly ended?: Readonly<Record<string, Ended>>;
  /**
   * Until this time, items of their own hold more of them, as many as there are; in seconds since the epoch. Absent while
   * {@link ended} has held them all.
   */
  readonly ended_until?: number;
  readonly emailconfirmed: boolean;
  /** ID of the default team; empty without one. */
  readonly team_id: string;
  readonly team_name: string;
  readonly user_app_name: string;
  readonly user_home: string | null;
  readonly user_avatar: string | null;
  /** UTC without a zone. */
  readonly created_at: string;
  /** IDs of its passkeys, by their names; absent without one. Others have ended. */
  readonly passkeys?: Readonly<Record<string, string>>;
  /** Enrolments of {@link passkeys}, by the IDs there; those of earlier versions have none. Others have ended. */
  readonly enrolments?: Readonly<Record<string, Enrolment>>;
  /**
   * Times at which passkeys were first refused because their signature counters did not rise, by the IDs in
   * {@link passkeys}; ISO 8601, UTC, ends in Z. Others have ended.
   */
  readonly counters_fell?: Readonly<Record<string, string>>;
  /** `machine` for a program; absent for a person. */
  readonly kind?: 'machine';
  /** Username of the person who answers for a machine, as created; `erased:<id>` once that person is erased. Absent for a person. */
  readonly owner?: string;
  /** IDs of the trusts of a machine, by their names; absent without one. Others have ended. */
  readonly trusts?: Readonly<Record<string, string>>;
  /** Number of changes of its state, roles, applications and teams, and of removed passkeys; absent before the first. */
  readonly transitions?: number;
  /** Grows with each remedy that ends the one-time codes that this account has made; absent before the first. */
  readonly code_generation?: number;
  /** ISO 8601, UTC, ends in Z; only of cancelled accounts, except those that an earlier version cancelled. */
  readonly cancelled_at?: string;
  readonly cancelled_by?: string;
}

/** The enrolment of a passkey: what is decided about it with the account alone. */
export interface Enrolment {
  /** Its sessions belong to this ID: enrolled again, a passkey gets another one. */
  readonly id: string;
  /** RP ID that the passkey belongs to. */
  readonly rp_id: string;
  /** ISO 8601, UTC, ends in Z. */
  readonly created_at: string;
}

/** What the directory knows of a one-time code, whose item it does not read. */
export interface OpenCode {
  /** End of the code, in milliseconds since the epoch. */
  readonly until: number;
  /** Its creation, in milliseconds since the epoch. */
  readonly made_at: number;
  /** Security stamp of the account for which it works. */
  readonly stamp: string;
  /** The `code_generation` of the account if it made the code itself; absent for other makers. */
  readonly own_generation?: number;
}

type OfPasskeys = Pick<Account, 'passkeys' | 'enrolments'>;

/**
 * The names of the passkeys that work at a domain. One without an enrolment counts until its domain is known
 * (`lib/account/enrolments.ts`).
 */
export const usablePasskeys = ({ passkeys = {}, enrolments = {} }: OfPasskeys, domain: string): string[] =>
  Object.entries(passkeys).flatMap(([name, id]) =>
    (enrolments[id]?.rp_id ?? domain) === domain ? [name] : [],
  );

/** Whether the signature counter of a passkey of an account did not rise. */
export const hasFallenCounter = ({ passkeys = {}, counters_fell = {} }: Account) =>
  Object.values(passkeys).some((id) => counters_fell[id] !== undefined);

/** Whether an account has a passkey that works at a domain, as far as the account tells. */
export const hasPasskey = (account: OfPasskeys, domain: string) => usablePasskeys(account, domain).length > 0;

/**
 * The ID of the enrolment of a passkey, by the ID of the passkey, which is its enrolment if an earlier version has enrolled it;
 * undefined if the account does not list it.
 */
export const enrolmentOf = ({ passkeys = {}, enrolments = {} }: OfPasskeys, id: string) =>
  Object.values(passkeys).includes(id) ? (enrolments[id]?.id ?? id) : undefined;

/** Whether an enrolment, by its ID, has not ended. */
export const isEnrolled = (account: OfPasskeys, enrolment: string) =>
  Object.values(account.passkeys ?? {}).some((id) => enrolmentOf(account, id) === enrolment);

/**
 * The passkey that was enrolled last, of those whose enrolment the account has; null without one. Others are older: an earlier
 * version has enrolled them.
 */
export function newestPasskey({ passkeys = {}, enrolments = {} }: OfPasskeys) {
  const [newest] = Object.entries(passkeys)
    .flatMap(([name, id]) => (enrolments[id] ? [{ name, created_at: enrolments[id].created_at }] : []))
    .sort((one, other) => (one.created_at < other.created_at ? 1 : -1));
  return newest ?? null;
}

/** Whether a machine has a trust. @param id of the trust */
export const hasTrust = ({ trusts = {} }: Pick<Account, 'trusts'>, id: string) =>
  Object.values(trusts).includes(id);

export const isMachine = ({ kind }: Pick<Account, 'kind'>) => kind === 'machine';

/** Number of API tokens of an account that have not expired. */
export const liveTokens = (
  { token_count, token_ends = [] }: Pick<Account, 'token_count' | 'token_ends'>,
  now: number,
) => token_count - token_ends.filter((end) => end <= now).length;

/** The number that the one-time codes of an account carry if it makes them now. */
export const codeGeneration = ({ code_generation = 0 }: Pick<Account, 'code_generation'>) => code_generation;

/** Whether an account has a password; one of an earlier version counts as having it as long as nothing is noted. */
export const hasPassword = (account: Pick<Account, 'kind' | 'password_set'>) =>
  !isMachine(account) && account.password_set !== false;

/**
 * End of the last one-time code of an account, in milliseconds since the epoch, also if it has passed; undefined if there is
 * none, if it was used, or if something that the account shows has ended it: a new stamp, or a remedy of the account itself.
 */
export function endOfCode(account: Account): number | undefined {
  const { open_code: code, stamp, isactive } = account;
  if (!code || code.stamp !== stamp || !isactive || isMachine(account)) return undefined;
  const { until, own_generation: generation = codeGeneration(account) } = code;
  return generation === codeGeneration(account) ? until : undefined;
}

/** The generation of the tokens of an account that are valid. */
export const generationOf = ({ token_generation = 0 }: Pick<Account, 'token_generation'>) => token_generation;

/** The end of a session, or of all sessions of a secret. */
export interface Ended {
  /** Time from which it is refused, in milliseconds since the epoch. */
  readonly at: number;
  /** Time from which its session tokens have expired, in seconds since the epoch; the entry is then needless. */
  readonly until: number;
}

/** End of a lock that only an administrator ends. */
export const FOREVER = '9999-12-31T23:59:59+00:00';

/** Whether the account is locked now, by an administrator or after failed logins. */
export const isLocked = ({ lockoutend }: Pick<Account, 'lockoutend'>, now: number) =>
  lockoutend !== undefined && Date.parse(lockoutend) > now;

/** Whether an administrator's lock is in force now: the account cannot authenticate at all. */
export const isLockedByAdministrator = (account: Pick<Account, 'lockoutend' | 'lock_reason'>, now: number) =>
  isLocked(account, now) && (account.lock_reason !== undefined || account.lockoutend === FOREVER);

/** Why nothing authenticates an account now; undefined if it may. A temporary lockout stops its password only. */
export function barOf(account: Account | undefined, now: number): Cause | undefined {
  if (!account) return 'account_unknown';
  if (!account.isactive) return 'account_cancelled';
  return isLockedByAdministrator(account, now) ? 'account_locked' : undefined;
}

export const mayAuthenticate = (account: Account, now: number) => barOf(account, now) === undefined;

/** Password of an account, in an item of its own, since only login and password changes read it. */
export interface Password {
  /** bcrypt, marked `$2y$` if it was imported; or an imported hash of ASP.NET Core Identity, in base64. */
  readonly hash: string;
}

/** Custom properties as JSON text, since DynamoDB does not support all numbers and all nesting of JSON. */
export interface PropertiesText {
  readonly json: string;
}
