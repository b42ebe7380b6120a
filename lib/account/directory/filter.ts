import * as z from 'zod/mini';
import { instantOrDate } from '../../contract/paging.ts';
import { booleanText } from '../../input/parse.ts';
import { type Account, isLocked } from '../../item/account.ts';
import { teamShort } from '../../item/team.ts';
import { foldCase } from '../../text/fold-case.ts';
import { isUnused, lastActive } from '../account.ts';
import { roleOrAppName } from '../identifiers.ts';

export const STATES = ['active', 'cancelled', 'locked'] as const;

/** Filter parameters of the directory. An account has to match all of them. */
export const filterQuery = () =>
  z.strictObject({
    /** Words, each a part of the username, the first or the last name, in any case. */
    q: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(128))),
    /** State by `isactive` and `islocked`; locked accounts may be active or cancelled. */
    state: z.optional(z.enum(STATES, `Must be one of ${STATES.join(', ')}`)),
    role: z.optional(roleOrAppName()),
    /** Short name, in any case. */
    team: z.optional(teamShort()),
    app: z.optional(roleOrAppName()),
    /** Last active before this time; for an account that was never used, created before it. */
    inactive_since: z.optional(instantOrDate()),
    never_used: z.optional(booleanText()),
  });

export type DirectoryFilter = Readonly<z.output<ReturnType<typeof filterQuery>>>;

/** Text without regard to case and to the encoding of letters (Unicode NFKC). */
const folded = (text: string) => text.normalize('NFKC').toLowerCase();

const MEETS: {
  readonly [K in keyof DirectoryFilter]-?: (
    asked: NonNullable<DirectoryFilter[K]>,
    account: Account,
    now: number,
  ) => boolean;
} = {
  q: (words, { username, user_first_name, user_last_name }) => {
    const names = folded([username, user_first_name, user_last_name].join('\n'));
    return folded(words.trim())
      .split(/\s+/)
      .every((word) => names.includes(word));
  },
  state: (state, account, now) =>
    state === 'locked' ? isLocked(account, now) : account.isactive === (state === 'active'),
  role: (role, { roles }) => roles.includes(role),
  team: (short, { teams }) => teams.some(({ team_short }) => foldCase(team_short) === foldCase(short)),
  app: (app, { apps }) => apps.includes(app),
  inactive_since: (time, account) => lastActive(account) < time,
  never_used: (never, account) => isUnused(account) === never,
};

/** The function that decides whether an account matches a filter at the time `now`; undefined for an empty filter. */
export function matcher(filter: DirectoryFilter, now: number): ((account: Account) => boolean) | undefined {
  const asked = Object.entries(filter).filter(([, value]) => value !== undefined);
  if (asked.length === 0) return undefined;
  const all = asked as [keyof DirectoryFilter, never][];
  return (account) => all.every(([name, value]) => MEETS[name](value, account, now));
}
