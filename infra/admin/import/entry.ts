import * as z from 'zod/mini';
import { type Draft, draftOf, teamsOf } from '#lib/account/create';
import { checkTeams } from '#lib/account/file';
import type { FileLine } from '#lib/account/file/line';
import { lockTerms } from '#lib/account/lock-terms';
import type { Forcing } from '#lib/account/roles';
import type { FieldError } from '#lib/failure/codes';
import { Failure } from '#lib/failure/failure';
import { parse } from '#lib/input/parse';
import type { Membership } from '#lib/item/team';
import { refuseCommon } from '#lib/password/blocklist';
import { refuseGuessable } from '#lib/password/guessable';
import type { Table } from '#lib/table/table';
import { listTeams } from '#lib/team/team';
import { foldCase } from '#lib/text/fold-case';

export interface Entry {
  readonly line: number;
  /** What its file has, for a line that is rejected later. */
  readonly source: FileLine;
  readonly draft: Draft;
  readonly memberships: readonly Membership[];
  readonly isactive: boolean;
  readonly islocked: boolean;
  /** Milliseconds since the epoch. */
  readonly lockoutend?: number | undefined;
  readonly lock_reason?: string | undefined;
}

export interface Fault {
  readonly line: number;
  readonly errors: readonly FieldError[];
}

/** All teams, by their short names in lower case. */
export type Teams = ReadonlyMap<string, Membership>;

export const teamsIn = async (table: Table): Promise<Teams> =>
  new Map(
    (await listTeams(table)).map((team) => [foldCase(team.team_short), { ...team, teamuser_lvl: null }]),
  );

const state = z
  .strictObject({
    isactive: z._default(z.boolean(), true),
    islocked: z._default(z.boolean(), false),
    lockoutend: lockTerms().shape.until,
    lock_reason: lockTerms().shape.reason,
  })
  .check(
    z.refine((it) => it.islocked || (it.lockoutend ?? it.lock_reason) === undefined, {
      error: 'Must be true with lockoutend or lock_reason',
      path: ['islocked'],
    }),
  );

/** What the check of a line depends on. */
export interface Rules extends Forcing {
  /** Name of the owner of the instance. */
  readonly owner?: string | undefined;
}

/** Checks a line by itself, without a look at the table. */
export async function checked(
  source: FileLine,
  teams: Teams,
  { force, owner = '' }: Rules,
): Promise<Entry | Fault> {
  const { line, value, errors } = source;
  if (errors) return { line, errors };
  try {
    const { isactive, islocked, lockoutend, lock_reason, ...rest } = value ?? {};
    const draft = draftOf(rest, { force });
    if (draft.password !== undefined) {
      await refuseCommon(draft.password, 'password');
      await refuseGuessable(draft.password, draft, owner, 'password');
    }
    checkTeams(draft.teams, teams);
    const memberships = teamsOf(draft).map((short) => teams.get(short) as Membership);
    return {
      line,
      source,
      draft,
      memberships,
      ...parse(state, { isactive, islocked, lockoutend, lock_reason }),
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { line, errors: error.errors ?? [{ field: '', message: error.message }] };
  }
}
