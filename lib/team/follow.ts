import { PATIENT } from '../async/retry.ts';
import { JOB_PAGES_MS } from '../contract/contract.ts';
import type { Account } from '../item/account.ts';
import { defaultTeam, type Membership, type StoredTeam, type Team } from '../item/team.ts';
import { log } from '../log/log.ts';
import type { Runtime } from '../runtime.ts';
import { forEach } from '../table/bulk.ts';
import { assign, expecting } from '../table/expressions.ts';
import {
  accountKey,
  allTeams,
  DIRECTORY,
  listingRanges,
  positionIn,
  teamKey,
  teamPassKey,
} from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import { type Page, workOff } from '../table/pass.ts';
import { get, query, readPage } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { remove, update } from '../table/write.ts';
import { foldCase } from '../text/fold-case.ts';
import { followTeams as definition } from './jobs.ts';
import { heirOf } from './successor.ts';
import { asTeam } from './team.ts';

type Changed = StoredTeam & { readonly changed_at: number };

/** What an account has of its teams. */
type Copies = Pick<Account, 'username' | 'teams' | 'team_id' | 'team_name' | 'transitions'>;

const COPIES = [
  'username',
  'teams',
  'team_id',
  'team_name',
  'transitions',
] as const satisfies (keyof Copies)[];

/**
 * Changes the copies of renamed and deleted teams in accounts, until a pass through all accounts has shown that none is left.
 * Then a deleted team is removed. Without a change it reads the teams only.
 *
 * @param requestId ID of the run
 * @returns what is logged: examined and changed accounts, completed changes and those that are left
 */
export async function followTeams(runtime: Runtime, requestId: string) {
  const { table } = runtime;
  const teams = await query(table, allTeams);
  const changes = teams.filter((team): team is Changed => team.changed_at !== undefined);
  if (changes.length === 0) return { examined: 0, changed: 0, completed: 0, left: 0 };
  const tally = await workOff(runtime, {
    key: teamPassKey,
    stored: await get(table, teamPassKey),
    changes,
    timeOf: ({ changed_at }) => changed_at,
    page: pageOf(table, teams, changes),
    lastsMs: JOB_PAGES_MS,
    // Members of a team may still move to one that is being deleted itself.
    complete: async (team) => !isSuccessor(team, changes) && complete(table, team),
  });
  log('info', { function: definition.id, requestId, message: 'Accounts followed their teams', ...tally });
  return tally;
}

const isSuccessor = ({ team_short, successor }: StoredTeam, changes: readonly Changed[]) =>
  successor !== undefined && changes.some((one) => one.successor === foldCase(team_short));

/** @returns false if the team has changed again */
async function complete(table: Table, { team_short, changed_at, successor }: Changed): Promise<boolean> {
  const key = teamKey(team_short);
  const failed =
    successor === undefined
      ? await update(table, { Key: key, ...assign({ changed_at: undefined }, { changed_at }) })
      : await remove(table, key, expecting({ changed_at }));
  return failed === undefined;
}

/** A page of all accounts, which follow the changes. */
function pageOf(table: Table, teams: readonly StoredTeam[], changes: readonly Changed[]): Page {
  const heir = heirOf(teams);
  const present = new Map(changes.map((team) => [team.team_id, presentOf(heir(team))]));
  const ranges = listingRanges(DIRECTORY, undefined);
  return async (cursor) => {
    const n = cursor ? ranges.findIndex(({ PK }) => PK === cursor.PK) : 0;
    const range = { ...(ranges[n] as (typeof ranges)[number]), after: cursor?.SK, attributes: COPIES };
    const { items, next } = await readPage(table, range);
    const behind = items.filter((account) => followed(account, present));
    await forEach(behind, (account) => follow(table, account, present));
    const following = ranges[n + 1];
    const place = next
      ? { PK: range.PK, SK: positionIn(DIRECTORY, next) }
      : following && { PK: following.PK, SK: '' };
    return { examined: items.length, changed: behind.length, next: place };
  };
}

const presentOf = (team: StoredTeam | undefined) => team && asTeam(team);

/** The team in place of each changed one, by the ID of that; undefined without any. */
type Present = ReadonlyMap<string, Team | undefined>;

/** Changes the copies in an account, as it is by then. */
const follow = (table: Table, account: Copies, present: Present) =>
  optimistically<Copies | undefined, unknown>(
    account,
    async (current) => {
      const to = current && followed(current, present);
      if (!to) return;
      const { username, teams, team_id, team_name, transitions } = current;
      const change = assign(to, { teams, team_id, team_name, transitions });
      return update(table, { Key: accountKey(username), ...change }, PATIENT);
    },
    PATIENT.attempts,
  );

/** The copies that an account has to have; undefined if it has them. Another team is a transition, another name is not. */
export function followed(account: Copies, present: Present) {
  const { team_id, team_name } = account;
  const copies = [{ team_id, team_name }, ...account.teams];
  if (!copies.some((copy) => present.has(copy.team_id) && isBehind(copy, present.get(copy.team_id))))
    return undefined;
  const held = new Set(account.teams.map((one) => one.team_id));
  const teams = account.teams.flatMap((one): readonly Membership[] => {
    if (!present.has(one.team_id)) return [one];
    const team = present.get(one.team_id);
    if (team?.team_id === one.team_id) return [{ ...team, teamuser_lvl: one.teamuser_lvl }];
    if (!team || held.has(team.team_id)) return [];
    held.add(team.team_id);
    // A level is of its own team.
    return [{ ...team, teamuser_lvl: null }];
  });
  const isMoved = account.teams.some(
    (one) => present.has(one.team_id) && present.get(one.team_id)?.team_id !== one.team_id,
  );
  return {
    teams,
    ...(present.has(team_id) && defaultTeam(present.get(team_id) ?? teams[0])),
    ...(isMoved && { transitions: (account.transitions ?? 0) + 1 }),
  };
}

const isBehind = (copy: Partial<Team>, team: Team | undefined) =>
  !team || Object.entries(copy).some(([name, value]) => name in team && team[name as keyof Team] !== value);
