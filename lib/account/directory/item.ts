import * as z from 'zod/mini';
import type { Settings } from '../../instance/settings.ts';
import { type Account, endOfCode, hasPassword, isLocked, liveTokens } from '../../item/account.ts';
import { fieldsOf, shownFields, shownTexts } from '../../item/fields.ts';
import type { SchemaTexts } from '../../texts.ts';
import { isoOf } from '../../time.ts';
import { KINDS } from '../kinds.ts';
import { erasableFrom } from '../lifecycle/erasable.ts';

/** The fields that a directory item has in common with the account item. */
const directoryFields = () =>
  z.extend(shownFields(), {
    id: z.uuid(),
    lockoutenabled: z.boolean(),
    isactive: z.boolean(),
    lastActivity: z.string(),
    user_avatar: z.nullable(z.string()),
  });

/** An account as the directory lists it. */
export const directoryItemSchema = () =>
  z.extend(directoryFields(), {
    islocked: z.boolean(),
    lockoutend: z.nullable(z.string()),
    lockoutending: z.nullable(z.string()),
    teams: z.int(),
    roles: z.int(),
    tokens: z.int(),
    trusts: z.int(),
    created_at: z.string(),
    cancelled_at: z.nullable(z.string()),
    cancelled_by: z.nullable(z.string()),
    erasable_from: z.nullable(z.string()),
    lock_reason: z.nullable(z.string()),
    kind: z.enum(KINDS),
    owner: z.nullable(z.string()),
    password_set: z.boolean(),
    code_expires_at: z.nullable(z.string()),
  });

/** Names that an item has on request: without them, an answer has more accounts. */
export const namedFields = () => ({
  app_names: z.optional(z.array(z.string())),
  role_names: z.optional(z.array(z.string())),
  team_shorts: z.optional(z.array(z.string())),
});

export const accountTexts = {
  parts: [shownTexts],
  fields: {
    id: 'Account ID; never changes',
    lockoutenabled: 'Whether failed logins lock the account temporarily',
    isactive: 'Whether the account is active; false after a cancellation',
    lastActivity:
      'Time of the last activity (UTC, no zone designator), at most a minute late; the time of creation if the account was never used',
    user_avatar: 'Picture; null if there is none',
    islocked: 'Whether the account is locked at the moment, by an administrator or after failed logins',
    lockoutend:
      'End of the lock (UTC, offset `+00:00`); `9999-12-31T23:59:59+00:00` if only an unlock ends it; null if the account is not locked',
    lockoutending:
      'End of the lock (UTC, ends in `Z`); `9999-12-31T23:59:59Z` if only an unlock ends it; null if the account is not locked',
    teams: 'Number of teams of the account',
    roles: 'Number of roles of the account',
    tokens: 'Number of API tokens of the account that have not expired',
    trusts: 'Number of trusts of the account, which only machines have',
    created_at: 'Time of creation (UTC, ends in `Z`)',
    cancelled_at: 'Time of the cancellation (UTC, ends in `Z`); null while the account is active',
    cancelled_by:
      'Username of the administrator who cancelled the account, or `operator:<user>` for a command; null while it is active',
    erasable_from:
      'Time from which on the account can be erased (UTC, ends in `Z`): its cancellation and `Settings:ErasureAfterDays`; null while it is active',
    lock_reason:
      'Reason that an administrator gave for the lock; null without one, or if the account is not locked',
    kind: '`machine` for a program, `person` otherwise',
    owner:
      'Username of the person who answers for a machine, `erased:` and an ID once that person is erased; null for a person',
    password_set:
      'Whether the account has a password; false for machines. Also true for accounts of version 1.0 without one, until the command `account password-costs` has run',
    code_expires_at:
      'Expiry of the last one-time code of the account, also if it has passed (UTC, ends in `Z`). Null without one, and once the code was used or ended by the account itself: a new password, a logout, a lock, a cancel, a reset stamp. A code that a remedy for its author ended is still shown: the profile shows only a code that works',
  },
} as const satisfies SchemaTexts;

/** An account in a listing. */
export const listedSchema = () => z.extend(directoryItemSchema(), namedFields());

export const listedTexts = {
  name: 'Account',
  schema: listedSchema,
  parts: [accountTexts],
  fields: {
    app_names: 'Applications of the account, its context first; only with `names=true`',
    role_names: 'Roles of the account; only with `names=true`',
    team_shorts: 'Short names of the teams of the account, its default first; only with `names=true`',
  },
} as const satisfies SchemaTexts;

export type DirectoryItem = z.output<ReturnType<typeof directoryItemSchema>>;

const fields = fieldsOf(directoryFields);

/** What an item depends on besides its account. */
export type ItemSettings = Pick<Settings, 'ErasureAfterDays'>;

/** An account as the directory lists it at the time `now`. */
export function directoryItem(account: Account, now: number, settings: ItemSettings): DirectoryItem {
  const islocked = isLocked(account, now);
  const lockoutend = (islocked && account.lockoutend) || null;
  const codeEnd = endOfCode(account);
  return {
    ...fields(account),
    islocked,
    lockoutend,
    lockoutending: lockoutend?.replace('+00:00', 'Z') ?? null,
    teams: account.teams.length,
    roles: account.roles.length,
    tokens: liveTokens(account, now),
    trusts: Object.keys(account.trusts ?? {}).length,
    created_at: `${account.created_at}Z`,
    cancelled_at: account.cancelled_at ?? null,
    cancelled_by: account.cancelled_by ?? null,
    erasable_from: erasableFrom(account, settings),
    lock_reason: (islocked && account.lock_reason) || null,
    kind: account.kind ?? 'person',
    owner: account.owner ?? null,
    password_set: hasPassword(account),
    code_expires_at: codeEnd === undefined ? null : isoOf(codeEnd),
  };
}

/** The names of the applications, roles and teams of an account; the first application and team are its defaults. */
export function namesOf({ user_app_name, apps, roles, teams, team_id }: Account) {
  const isDefault = (team: { readonly team_id: string }) => team.team_id === team_id;
  const ordered = [...teams.filter(isDefault), ...teams.filter((team) => !isDefault(team))];
  return {
    app_names: [...new Set([user_app_name, ...apps])],
    role_names: [...roles],
    team_shorts: ordered.map(({ team_short }) => team_short),
  };
}

/** A {@link directoryItem} with the names of its applications, roles and teams. */
export const namedItem = (account: Account, now: number, settings: ItemSettings) => ({
  ...directoryItem(account, now, settings),
  ...namesOf(account),
});

export type NamedItem = ReturnType<typeof namedItem>;

/** The directory item after a change of state, and whether the state changed. */
export const changedItem = (
  { account, changed }: { account: Account; changed: boolean },
  now: number,
  settings: ItemSettings,
) => ({
  ...directoryItem(account, now, settings),
  changed,
});
