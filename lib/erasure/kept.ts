import { ENVIRONMENT } from '../instance/environment.ts';
import { MAX_AUDIT_DAYS, type Settings } from '../instance/settings.ts';
import { PER_ADDRESS } from '../login/attempts.ts';
import { DAY_MS, isoOf, MINUTE_MS } from '../time.ts';

/** How long the resources of a stack keep data, in days; no daily backups are 0. */
export interface Retentions {
  readonly logs: number;
  readonly archive: number;
  readonly backups: number;
  readonly deadLetters: number;
}

type Terms = Retentions & Pick<Settings, 'AuditDays' | 'SecurityStampCacheSeconds'>;

/** Something of a person that an erasure leaves. */
export interface Rule {
  readonly where: string;
  readonly what: string;
  readonly why: string;
  /** Days, or the duration in words; 0 or an empty text where nothing is kept. */
  readonly lasts: (terms: Terms) => number | string;
  /** Option or setting that the duration follows. */
  readonly by?: string;
  /** Kind of instance that has it; by default all. */
  readonly only?: 'stack' | 'local';
}

const EXPIRED = 'then until the database deletes expired items, which takes days';

/** What remains after an erasure, by kind. The page of this module has the same table. */
export const RULES = {
  audit_log: {
    where: 'audit log',
    what: 'username, names of tokens, source addresses, reasons of locks',
    why: 'proof of who did what; those whom it is about must not be able to change it',
    lasts: () => MAX_AUDIT_DAYS,
    only: 'stack',
  },
  function_logs: {
    where: 'logs of functions',
    what: 'the same, since each audit line passes through them; ID of the account',
    why: 'operation; the audit log is filled from them',
    lasts: ({ logs }) => logs,
    by: 'logRetentionDays',
    only: 'stack',
  },
  request_log: {
    where: 'log of requests',
    what: 'source addresses, without names',
    why: 'operation, defence against attacks',
    lasts: ({ logs }) => logs,
    by: 'logRetentionDays',
    only: 'stack',
  },
  address_counters: {
    where: 'counters of source addresses, in the table',
    what: 'addresses, without names',
    why: 'limit of guesses',
    lasts: () => `${PER_ADDRESS.windowMs / MINUTE_MS} minutes, ${EXPIRED}`,
  },
  blocked_addresses: {
    where: 'blocked source addresses, in the table',
    what: 'addresses, without names',
    why: 'defence against attacks',
    lasts: () => `until the end of the block, a day by default, ${EXPIRED}`,
  },
  function_memory: {
    where: 'memory of functions',
    what: 'the account as last read',
    why: 'answers to sessions while the database fails',
    lasts: ({ SecurityStampCacheSeconds: seconds }) => (seconds > 0 ? `${seconds} seconds` : ''),
    by: 'Settings:SecurityStampCacheSeconds',
  },
  event_archive: {
    where: 'archive of events',
    what: 'events as published: username, names',
    why: 'subscribers replay what they missed',
    lasts: ({ archive }) => archive,
    by: 'archiveDays',
    only: 'stack',
  },
  dead_letters: {
    where: 'dead-letter queues',
    what: 'events that a subscriber did not receive',
    why: 'they are sent again',
    lasts: ({ deadLetters }) => deadLetters,
    only: 'stack',
  },
  recovery: {
    where: 'point-in-time recovery',
    what: 'the table as it was',
    why: 'restores',
    lasts: () => 35,
    only: 'stack',
  },
  backups: {
    where: 'daily backups, and their copies',
    what: 'the table as it was',
    why: 'restores',
    lasts: ({ backups }) => backups,
    by: 'backupDays',
    only: 'stack',
  },
  local_files: {
    where:
      'local instance: `verified.jsonl`, `audit.jsonl` of earlier versions, `operators.jsonl`, `events.jsonl`, audit lines in `functions.log`',
    what: 'as written',
    why: 'a trial has no retention',
    lasts: () => 'until you delete them',
    only: 'local',
  },
  local_database: {
    where: 'local instance: `dynamodb.sqlite`',
    what: 'deleted bytes, up to 256 MB',
    why: 'the engine overwrites nothing',
    lasts: () => 'until the next start, which writes the file anew',
    only: 'local',
  },
  activity: {
    where: 'audit entries in the table',
    what: '`erased:<id>` in place of the username, and no address of the person',
    why: 'administrators see what was done',
    lasts: ({ AuditDays }) => AuditDays,
    by: 'Settings:AuditDays',
  },
  mark: {
    where: 'mark of the erasure, in the table',
    what: 'ID of the account, time, who erased it (a pseudonym after the erasure of that person), and the keyed hash of the username',
    why: 'a repeat finds them, and nobody gets the name by mistake',
    lasts: () => 'always',
  },
} as const satisfies Readonly<Record<string, Rule>>;

export type KeptKind = keyof typeof RULES;

/** Its kinds, in the order of the table. */
export const KINDS = Object.keys(RULES) as [KeptKind, ...KeptKind[]];

/** What an erasure leaves where, for how long and why. */
export interface Kept {
  readonly kind: KeptKind;
  readonly where: string;
  readonly what: string;
  readonly lasts: string;
  readonly why: string;
  /** When the last of it has gone at the latest; null if no day is certain. */
  readonly until: string | null;
}

/** The job completes an erasure within this time: until then, new copies of the table have what is left. */
const COMPLETION_MS = DAY_MS;

/**
 * What the erasure of an account leaves.
 *
 * @param erased_at its time
 * @param retentions those of the stack; undefined for a local instance
 */
export function keptAfter(
  erased_at: string,
  retentions: Retentions | undefined,
  { AuditDays, SecurityStampCacheSeconds }: Pick<Settings, 'AuditDays' | 'SecurityStampCacheSeconds'>,
): Kept[] {
  const none = { logs: 0, archive: 0, backups: 0, deadLetters: 0 };
  const terms = { ...(retentions ?? none), AuditDays, SecurityStampCacheSeconds };
  const other = retentions ? 'local' : 'stack';
  return KINDS.flatMap((kind) => {
    const { where, what, why, only, lasts }: Rule = RULES[kind];
    const time = only === other ? 0 : lasts(terms);
    if (!time) return [];
    const until =
      typeof time === 'number' ? isoOf(Date.parse(erased_at) + COMPLETION_MS + time * DAY_MS) : null;
    return [{ kind, where, what, lasts: until ? `${time} days` : `${time}`, why, until }];
  });
}

/** Reads the retentions of the stack from the environment of this function; a local instance has none. */
export function retentionsFromEnvironment(): Retentions | undefined {
  const text = process.env[ENVIRONMENT.retentions];
  return text === undefined ? undefined : (JSON.parse(text) as Retentions);
}
