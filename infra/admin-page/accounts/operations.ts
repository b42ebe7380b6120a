import type { Account, AuditEntry, Profile } from '#lib/client/index';

/** Entries that one sentence tells, the newest first. */
export type Group = readonly [AuditEntry, ...AuditEntry[]];

/** Lists that an entry may have added to or removed from an account, by their names in a request. */
const LISTS = ['roles', 'teams', 'apps'] as const;

/** Details that only belong to the operation. */
const OF_BATCH = ['batch', 'batch_size'];

/** The ID of the operation that an entry is a part of. */
export function batchOf({ details }: AuditEntry): string | undefined {
  const batch = details?.['batch'];
  return typeof batch === 'string' ? batch : undefined;
}

/** The number of requests of the operation that an entry is a part of; undefined if it is not known. */
export function sizeOf({ details }: AuditEntry): number | undefined {
  const size = details?.['batch_size'];
  return typeof size === 'number' ? size : undefined;
}

/** What the entries of an operation have in common: anyone may send the ID of another one's. */
export const operationKey = (entry: AuditEntry) =>
  batchOf(entry) && sizeOf(entry) !== 1
    ? JSON.stringify([batchOf(entry), entry.actor, entry.action])
    : undefined;

/** Names in a detail, in the same order in all entries. */
const namesIn = ({ details }: AuditEntry, name: string): readonly string[] => {
  const names = details?.[name];
  return Array.isArray(names) ? names.toSorted() : [];
};

/** The details that say something, but for those of the operation: a list of a change may be empty. */
const detailsIn = ({ details }: AuditEntry) =>
  Object.entries(details ?? {}).flatMap(([name, value]) =>
    OF_BATCH.includes(name) || value === null || [value].flat().length === 0 ? [] : [name],
  );

const timesOf = (entries: readonly AuditEntry[]) => entries.reduce((sum, { count = 1 }) => sum + count, 0);

/** Whether an entry has changed its account. */
export const isChange = ({ outcome, changed }: AuditEntry) => outcome === 'ok' && changed === true;

/** What happened to several people at once. */
export type OperationKind =
  | 'given'
  | 'taken'
  | 'locked'
  | 'unlocked'
  | 'cancelled'
  | 'reactivated'
  | 'created'
  | 'other';

const KINDS: Readonly<Record<string, OperationKind>> = {
  'account.lock': 'locked',
  'account.unlock': 'unlocked',
  'account.cancel': 'cancelled',
  'account.reactivate': 'reactivated',
  'account.create': 'created',
};

export interface Operation {
  readonly kind: OperationKind;
  /** Roles that were given or taken. */
  readonly roles: readonly string[];
  /** People whom it changed. */
  readonly changed: number;
  readonly unchanged: number;
  readonly failed: number;
  /** Requests of it; more than the entries if the page has not loaded all. */
  readonly size: number;
}

/** What an access entry has changed if it is only roles, and only given or only taken. */
function rolesIn(entry: AuditEntry): Pick<Operation, 'kind' | 'roles'> {
  const names = detailsIn(entry);
  const only = names.length === 1 ? names[0] : undefined;
  const kind = only === 'roles_added' ? 'given' : only === 'roles_removed' ? 'taken' : 'other';
  return { kind, roles: kind === 'other' ? [] : namesIn(entry, `${only}`) };
}

/** Counts what the entries of an operation tell. */
export function summaryOf(group: Group): Operation {
  const [{ action }] = group;
  const changes = group.filter(isChange);
  const failures = group.filter(({ outcome }) => outcome !== 'ok');
  const existed =
    action === 'account.create' ? failures.filter(({ outcome }) => outcome === 'account_exists') : [];
  const parts = changes.map(rolesIn);
  const [part] = parts;
  const isOne = part !== undefined && parts.every((other) => JSON.stringify(other) === JSON.stringify(part));
  return {
    ...(action === 'account.access' && isOne ? part : { kind: KINDS[action] ?? 'other', roles: [] }),
    changed: changes.length,
    unchanged: group.length - changes.length - failures.length + existed.length,
    failed: timesOf(failures) - timesOf(existed),
    size: Math.max(timesOf(group), ...group.map((entry) => sizeOf(entry) ?? 0)),
  };
}

/** Names of roles, teams and applications. */
export type Access = Readonly<Partial<Record<(typeof LISTS)[number], readonly string[]>>>;

/** What takes the change of an entry back. */
export type Inverse =
  | { readonly kind: 'access'; readonly add: Access; readonly remove: Access }
  | { readonly kind: 'unlock' | 'reactivate' | 'cancel' };

const inverses: Readonly<Record<string, Inverse>> = {
  'account.lock': { kind: 'unlock' },
  'account.cancel': { kind: 'reactivate' },
  'account.create': { kind: 'cancel' },
};

const access = (entry: AuditEntry, suffix: 'added' | 'removed'): Access =>
  Object.fromEntries(
    LISTS.map((list) => [list, namesIn(entry, `${list}_${suffix}`)] as const).filter(
      ([, names]) => names.length > 0,
    ),
  );

/**
 * What takes the change of an entry back; undefined if nothing does. An unlock is none: its entry does not have the lock that
 * it has ended.
 */
export function inverseOf(entry: AuditEntry): Inverse | undefined {
  if (!isChange(entry) || !entry.target) return undefined;
  if (entry.action !== 'account.access') return inverses[entry.action];
  const known = LISTS.flatMap((list) => [`${list}_added`, `${list}_removed`]);
  const names = detailsIn(entry);
  const [add, remove] = [access(entry, 'removed'), access(entry, 'added')];
  const isNone = Object.keys({ ...add, ...remove }).length === 0;
  return isNone || !names.every((name) => known.includes(name)) ? undefined : { kind: 'access', add, remove };
}

/** The effect of an entry, and the one that takes it back, as texts that are equal if the effects are. */
function effectsOf(entry: AuditEntry): { readonly own: string; readonly inverse?: string } {
  const { action } = entry;
  const inverse = inverseOf(entry);
  if (inverse?.kind === 'access') {
    const [add, remove] = [access(entry, 'added'), access(entry, 'removed')];
    return { own: JSON.stringify([add, remove]), inverse: JSON.stringify([remove, add]) };
  }
  return { own: action, ...(inverse && { inverse: `account.${inverse.kind}` }) };
}

/** The last of the entries that have taken an operation back as a whole; undefined if the page does not have them. */
export function takenBackBy(group: Group, entries: readonly AuditEntry[]): AuditEntry | undefined {
  const changes = group.filter(isChange);
  const backs = changes.map((change) => {
    const { inverse } = effectsOf(change);
    return entries.findLast(
      (entry) =>
        entry.time > change.time &&
        isChange(entry) &&
        entry.target === change.target &&
        inverse !== undefined &&
        effectsOf(entry).own === inverse,
    );
  });
  const [first, ...others] = backs;
  if (!first || others.includes(undefined)) return undefined;
  return (backs as AuditEntry[]).reduce((one, other) => (one.time > other.time ? one : other));
}

/** Why an account stays as it is: it was changed again or used since, or does not exist. */
export type Stay = 'changed' | 'used' | 'gone';

/** An account as it is now. */
export interface Now {
  readonly item: Account | undefined;
  readonly profile?: Pick<Profile, 'roles' | 'teams' | 'apps'> | undefined;
}

/** The longest between the time of a change and that of its entry, in milliseconds. */
const APART_MS = 60_000;

const isNear = (one: string | null | undefined, other: string) =>
  Math.abs(Date.parse(one ?? '') - Date.parse(other)) < APART_MS;

/** The end of a lock in milliseconds; Infinity without one. */
const endOf = (time: unknown) =>
  typeof time === 'string' && !time.startsWith('9999') ? Date.parse(time) : Number.POSITIVE_INFINITY;

const isLeft: Readonly<
  Record<Inverse['kind'], (entry: AuditEntry, now: Now & { item: Account }) => Stay | undefined>
> = {
  access: (entry, { profile = {} }) => {
    const held: Record<string, readonly string[]> = {
      roles: profile.roles ?? [],
      teams: profile.teams?.map(({ team_short }) => team_short) ?? [],
      apps: profile.apps ?? [],
    };
    const has = (names: readonly string[], list: string) =>
      names.filter((name) => held[list]?.includes(name)).length;
    const isSame = LISTS.every((list) => {
      const added = namesIn(entry, `${list}_added`);
      return has(added, list) === added.length && has(namesIn(entry, `${list}_removed`), list) === 0;
    });
    return isSame ? undefined : 'changed';
  },
  unlock: ({ details }, { item }) =>
    item.islocked &&
    endOf(item.lockoutending) === endOf(details?.['until']) &&
    (item.lock_reason ?? '') === (details?.['reason'] ?? '')
      ? undefined
      : 'changed',
  reactivate: ({ time }, { item }) =>
    !item.isactive && isNear(item.cancelled_at, time) ? undefined : 'changed',
  cancel: ({ time }, { item }) => {
    // Another person may have the name since.
    if (!item.isactive || !isNear(item.created_at, time)) return 'changed';
    return isUsed(item) ? 'used' : undefined;
  },
};

/** Whether an account was used since it was created. */
const isUsed = ({ lastActivity, created_at }: Account) =>
  Boolean(lastActivity) && `${lastActivity}Z` !== created_at && lastActivity !== created_at;

/** Why the change of an entry cannot be taken back any more; undefined if it can. */
export function stayOf(entry: AuditEntry, inverse: Inverse, now: Now): Stay | undefined {
  const { item } = now;
  return item ? isLeft[inverse.kind](entry, { ...now, item }) : 'gone';
}
