import * as z from 'zod/mini';
import { instantOrDate } from '../../contract/paging.ts';
import { booleanText } from '../../input/parse.ts';
import {
  type Account,
  endOfCode,
  hasFallenCounter,
  hasPassword,
  isLocked,
  isMachine,
  mayAuthenticate,
} from '../../item/account.ts';
import { plain, typed } from '../../item/fields.ts';
import { teamShort } from '../../item/team.ts';
import { foldCase } from '../../text/fold-case.ts';
import { finder } from '../../text/search-forms.ts';
import { isUnused, lastActive } from '../account.ts';
import { roleOrAppName } from '../identifiers.ts';
import { KINDS } from '../kinds.ts';

export const STATES = ['active', 'cancelled', 'locked', 'invited', 'code_expired', 'never_used'] as const;
type State = (typeof STATES)[number];

/** States that a cancelled account can have. */
export const MAY_BE_CANCELLED: readonly State[] = ['cancelled', 'locked'];

/** Whether an account is in a state at a time. */
const IN_STATE: Readonly<Record<State, (account: Account, now: number) => boolean>> = {
  active: ({ isactive }) => isactive,
  cancelled: ({ isactive }) => !isactive,
  locked: isLocked,
  invited: (account, now) => (endOfFirstCode(account, now) ?? 0) > now,
  code_expired: (account, now) => (endOfFirstCode(account, now) ?? Number.POSITIVE_INFINITY) <= now,
  never_used: (account) => account.isactive && isUnused(account),
};

/**
 * End of the code with which an account without a password gets its first one. A lockout by failed logins does not apply to
 * codes, so only the lock of an administrator matters, which also ends them.
 */
const endOfFirstCode = (account: Account, now: number) =>
  hasPassword(account) || !mayAuthenticate(account, now) ? undefined : endOfCode(account);

/** Filter parameters of the directory. An account has to match all of them. */
export const filterQuery = () =>
  z.strictObject({
    /** Words, each a part of the username, the first or the last name, in any of its search forms. */
    q: z.optional(typed().check(z.minLength(1), z.maxLength(128))),
    state: z.optional(z.enum(STATES, `Must be one of ${STATES.join(', ')}`)),
    role: z.optional(roleOrAppName()),
    /** Short name, in any case. */
    team: z.optional(teamShort()),
    app: z.optional(roleOrAppName()),
    /** Last active before this time; for an account that was never used, created before it. */
    inactive_since: z.optional(instantOrDate()),
    never_used: z.optional(booleanText()),
    counter_fell: z.optional(booleanText()),
    kind: z.optional(z.enum(KINDS, `Must be ${KINDS.join(' or ')}`)),
    /** As an item names the owner of a machine, in any case: also one who is erased. */
    owner: z.optional(typed().check(z.maxLength(256), plain(), z.minLength(1))),
  });

export type DirectoryFilter = Readonly<z.output<ReturnType<typeof filterQuery>>>;

/** Whether a word is a part of one name, or begins both names in a row, as many languages write them. */
function hasName(form: string, word: string): boolean {
  if (form.includes(word)) return true;
  // Most names begin with another letter: this takes no time.
  const begins = (at: number) => form[at + 1] === word[0];
  if (!begins(form.indexOf('\n')) && !begins(form.lastIndexOf('\n'))) return false;
  const [, first = '', last = ''] = form.replaceAll(' ', '').split('\n');
  return `${last}${first}`.startsWith(word) || `${first}${last}`.startsWith(word);
}

/** For each parameter, a function of its value that decides whether an account matches. */
const MEETS: {
  readonly [K in keyof DirectoryFilter]-?: (
    asked: NonNullable<DirectoryFilter[K]>,
    now: number,
  ) => (account: Account) => boolean;
} = {
  q: (text) => {
    const finds = finder(text, hasName);
    return ({ username, user_first_name, user_last_name }) =>
      finds(`${username}\n${user_first_name}\n${user_last_name}`);
  },
  state: (state, now) => (account) => IN_STATE[state](account, now),
  role: (role) => (account) => account.roles.includes(role),
  team: (short) => {
    const folded = foldCase(short);
    return ({ teams }) => teams.some(({ team_short }) => foldCase(team_short) === folded);
  },
  app: (app) => (account) => account.apps.includes(app),
  inactive_since: (time) => (account) => lastActive(account) < time,
  never_used: (never) => (account) => isUnused(account) === never,
  counter_fell: (fell) => (account) => hasFallenCounter(account) === fell,
  kind: (kind) => (account) => isMachine(account) === (kind === 'machine'),
  owner: (name) => {
    const folded = foldCase(name);
    return ({ owner }) => owner !== undefined && foldCase(owner) === folded;
  },
};

/** The function that decides whether an account matches a filter at the time `now`; undefined for an empty filter. */
export function matcher(filter: DirectoryFilter, now: number): ((account: Account) => boolean) | undefined {
  const asked = Object.entries(filter).filter(([, value]) => value !== undefined);
  if (asked.length === 0) return undefined;
  const all = (asked as [keyof DirectoryFilter, never][]).map(([name, value]) => MEETS[name](value, now));
  return (account) => all.every((meets) => meets(account));
}
