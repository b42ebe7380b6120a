import { isValidElement, type VNode } from 'preact';
import { useState } from 'preact/hooks';
import { namesIn } from '#lib/account/file/cells';
import { inParallel } from '#lib/async/in-parallel';
import type { Account, RequestOptions, Team } from '#lib/client/index';
import { teams as t } from '#texts/teams';
import { NameOf, noteNamesOf, useNameOf } from '../accounts/names.tsx';
import { nameOf } from '../accounts/person.tsx';
import { deletion, readTeam, renaming } from '../accounts/teams.tsx';
import { LastActive, State, Who } from '../accounts/who.tsx';
import { type Action, Acts } from '../act.tsx';
import { Chip } from '../chip.tsx';
import { Empty } from '../empty.tsx';
import { Failed } from '../failed.tsx';
import { useDraft } from '../form.tsx';
import { Listing, Pending } from '../listing.tsx';
import { number } from '../locale.ts';
import { Lines } from '../parts.tsx';
import { go, hrefTo, usePlace } from '../place.ts';
import { useList, useQuery } from '../query.ts';
import { People } from '../search.tsx';
import { AT_ONCE, client } from '../session.ts';
import { PageTitle } from '../title.tsx';

type Kind = 'add' | 'remove';

/** Adds an account to a team or removes it, and answers whether that changed it. */
async function change(kind: Kind, short: string, username: string, options: RequestOptions) {
  const answer = await client.account.access({ username, [kind]: { teams: [short] } }, options);
  return answer.teams_added.length + answer.teams_removed.length > 0;
}

/** What became of one account of several. */
interface Outcome {
  readonly username: string;
  readonly isChanged?: boolean;
  readonly error?: unknown;
}

/** Changes several accounts as one operation; throws if none could be changed. */
async function changeAll(kind: Kind, short: string, usernames: readonly string[], options: RequestOptions) {
  const batch = { id: crypto.randomUUID(), size: usernames.length };
  const each = (username: string): Promise<Outcome> =>
    change(kind, short, username, { ...options, ...(usernames.length > 1 && { batch }) }).then(
      (isChanged) => ({ username, isChanged }),
      (error) => ({ username, error }),
    );
  const outcomes = await inParallel(usernames, each, AT_ONCE);
  const failed = outcomes.filter(({ error }) => error !== undefined);
  if (failed.length === usernames.length) throw failed[0]?.error;
  return outcomes;
}

const Picked = ({ username, onRemove }: { readonly username: string; readonly onRemove: () => void }) => (
  <Chip of={useNameOf(username)} onRemove={onRemove} />
);

/** A field for several people. */
function SeveralPeople() {
  const [usernames, setUsernames] = useState(namesIn(useDraft('usernames')));
  const without = (username: string) => usernames.filter((each) => each !== username);
  return (
    <>
      {usernames.length > 0 && (
        <div class="row chips">
          {usernames.map((username) => (
            <Picked key={username} username={username} onRemove={() => setUsernames(without(username))} />
          ))}
        </div>
      )}
      <People
        label={t.addField}
        name="person"
        value={undefined}
        hint={t.addHint}
        onPick={(username) => username && setUsernames([...without(username), username])}
      />
      <input type="hidden" name="usernames" value={usernames.join(' ')} />
    </>
  );
}

/** Who could not be added, and why. */
const NotAdded = ({ of }: { readonly of: readonly Outcome[] }) => {
  const failed = of.filter(({ error }) => error !== undefined);
  return (
    <>
      <p>{t.notAdded(failed.length, number(failed.length))}</p>
      <Lines label={t.addField}>
        {failed.map(({ username, error }) => (
          <li key={username}>
            <NameOf username={username} /> <Failed error={error} />
          </li>
        ))}
      </Lines>
    </>
  );
};

const outcomesIn = (result: unknown): readonly Outcome[] =>
  isValidElement(result)
    ? (result as VNode<{ of: readonly Outcome[] }>).props.of
    : (result as readonly Outcome[]);

const changedIn = (result: unknown) =>
  outcomesIn(result).flatMap(({ username, isChanged }) => (isChanged ? [username] : []));

const adding = ({ team_short: short, team_name }: Team): Action => {
  const name = <bdi key="team">{team_name}</bdi>;
  return {
    label: t.add,
    title: t.addAsk(name),
    isMain: true,
    children: <SeveralPeople />,
    run: async ({ usernames }, options) => {
      const names = namesIn(usernames);
      if (names.length === 0) throw t.addNobody;
      const outcomes = await changeAll('add', short, names, options);
      return outcomes.some(({ error }) => error !== undefined) ? <NotAdded of={outcomes} /> : outcomes;
    },
    done: (_, result) => {
      const { length } = changedIn(result);
      return length > 0 ? t.added(length, number(length), name) : t.addedNone(name);
    },
    undo: (_, result) => {
      const usernames = changedIn(result);
      return usernames.length > 0
        ? {
            label: t.undo,
            run: (options) => changeAll('remove', short, usernames, options),
            done: t.undone(name),
          }
        : undefined;
    },
  };
};

const removal = ({ team_short: short, team_name }: Team, account: Account): Action => {
  const { username } = account;
  const names = [
    <bdi key="person">{nameOf(account) || username}</bdi>,
    <bdi key="team">{team_name}</bdi>,
  ] as const;
  return {
    label: t.remove,
    title: t.removeAsk(...names),
    text: t.removeText,
    run: (_, options) => change('remove', short, username, options),
    done: () => t.removed(...names),
    undo: () => ({
      label: t.undo,
      run: (options) => change('add', short, username, options),
      done: t.removeUndone(...names),
    }),
  };
};

/** A team: who is in it, and what can be done about it. */
function Members({ team, reload }: { readonly team: Team; readonly reload: () => void }) {
  const { team_short: short, team_name, team_type } = team;
  const list = useList((page, options) => client.account.browse({ team: short, ...page }, options), {
    inputs: [short],
    filters: [{ name: 'q', label: t.search, type: 'search', placeholder: t.searchHint }],
  });
  const { state } = usePlace();
  noteNamesOf(list.data?.items ?? []);
  const remove = deletion(team);
  const removeAndLeave: Action = {
    ...remove,
    run: async (fields, options) => {
      await remove.run(fields, options);
      go(hrefTo('teams'));
    },
  };
  return (
    <>
      <PageTitle title={team_name} note={<bdi>{t.about(short, team_type)}</bdi>}>
        <span class="row">
          <Acts of={[adding(team)]} after={list.reload} />
          <Acts of={[renaming(team)]} after={reload} />
          <Acts of={[removeAndLeave]} />
        </span>
      </PageTitle>
      <Listing
        list={list}
        caption={t.members}
        keyOf={({ id }) => id}
        empty={state['q'] ? t.noMatch : t.noMembers}
        columns={[
          { label: t.person, cell: Who },
          { label: t.state, cell: State },
          { label: t.lastActive, cell: LastActive },
        ]}
        actionsOn={(account) => [removal(team, account)]}
        file={{ name: short }}
      />
    </>
  );
}

/** The page of the team that the URL names. */
export function TeamView() {
  const { short = '' } = usePlace().state;
  const query = useQuery(async (signal) => ({ team: await readTeam(short, signal) }), [short]);
  const { team } = query.data ?? {};
  return (
    <>
      <Pending {...query} />
      {team && <Members team={team} reload={query.reload} />}
      {query.data && !team && (
        <>
          <PageTitle title={t.title} />
          <Empty next={<a href={hrefTo('teams')}>{t.allTeams}</a>}>{t.gone}</Empty>
        </>
      )}
    </>
  );
}
