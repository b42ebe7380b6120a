import * as z from 'zod/mini';
import { instant } from '../../contract/paging.ts';
import type { Account } from '../../item/account.ts';
import { booleanText } from '../../parse.ts';
import { foldCase } from '../../table/keys.ts';
import { isLocked, isUnused, lastActive } from '../account.ts';
import { roleOrAppName } from '../identifiers.ts';

const STATES = ['active', 'cancelled', 'locked'] as const;

/** What a directory may be asked for. An account has to meet all of it. */
export const filterQuery = () =>
  z.strictObject({
    /** How the username, the first or the last name begins, in whatever case. */
    q: z.optional(z.string().check(z.minLength(1), z.maxLength(128))),
    /** As `isactive` and `islocked` say it: of locked accounts some are active and some are cancelled. */
    state: z.optional(z.enum(STATES, `Must be one of ${STATES.join(', ')}`)),
    role: z.optional(roleOrAppName()),
    /** Short name, in whatever case. */
    team: z.optional(z.string().check(z.minLength(1), z.maxLength(32))),
    app: z.optional(roleOrAppName()),
    /** Last active before this time; of an account that was never used, created before it. */
    inactive_since: z.optional(instant()),
    never_used: z.optional(booleanText('Must be true or false')),
  });

export type DirectoryFilter = {
  readonly [K in keyof z.output<ReturnType<typeof filterQuery>>]?:
    | z.output<ReturnType<typeof filterQuery>>[K]
    | undefined;
};

/** Letters that look alike are alike, in upper and lower case (Unicode NFKC). */
const folded = (text: string) => text.normalize('NFKC').toLowerCase();

/** What each part of a filter asks of an account. */
const MEETS: {
  readonly [K in keyof DirectoryFilter]-?: (
    asked: NonNullable<DirectoryFilter[K]>,
    account: Account,
    now: number,
  ) => boolean;
} = {
  q: (start, { username, user_first_name, user_last_name }) =>
    [username, user_first_name, user_last_name].some((name = '') => folded(name).startsWith(folded(start))),
  state: (state, account, now) =>
    state === 'locked' ? isLocked(account, now) : account.isactive === (state === 'active'),
  role: (role, { roles }) => roles.includes(role),
  team: (short, { teams }) => teams.some(({ team_short }) => foldCase(team_short) === foldCase(short)),
  app: (app, { apps }) => apps.includes(app),
  inactive_since: (time, account) => lastActive(account) < time,
  never_used: (never, account) => isUnused(account) === never,
};

type Asked = [keyof DirectoryFilter, never][];

/** The parts of a filter that are asked for, in the order of their names. */
const askedOf = (filter: DirectoryFilter) =>
  Object.entries(filter)
    .filter(([, asked]) => asked !== undefined)
    .sort() as Asked;

/** Whether an account meets a filter at the time `now`; undefined where it asks for nothing. */
export function matcher(filter: DirectoryFilter, now: number): ((account: Account) => boolean) | undefined {
  const all = askedOf(filter);
  if (all.length === 0) return undefined;
  return (account) => all.every(([name, asked]) => MEETS[name](asked, account, now));
}

/** A filter as a text that is the same for the same filter; undefined where it asks for nothing. */
export function filterText(filter: DirectoryFilter & { readonly cancelled_since?: number | undefined }) {
  const all = askedOf(filter);
  return all.length === 0 ? undefined : JSON.stringify(all);
}
