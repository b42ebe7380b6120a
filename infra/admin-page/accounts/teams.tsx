import { useState } from 'preact/hooks';
import type { RequestOptions, Team } from '#lib/client/index';
import { foldCase } from '#lib/text/fold-case';
import { teams as t } from '#texts/teams';
import type { Action } from '../act.tsx';
import { Field, useDraft } from '../form.tsx';
import { Pending } from '../listing.tsx';
import { readTeams } from '../memberships.tsx';
import { go, hrefTo } from '../place.ts';
import { useQuery } from '../query.ts';
import { client } from '../session.ts';
import { NAMED, suggestedName } from './suggested.tsx';

/** The most characters of a short name and of a type. */
const MOST = 32;

/** The fields of a new team; the short name follows the name until a person types another one. */
function NewTeamFields() {
  const [short, setShort] = useState(useDraft('short') ?? '');
  const [isTyped, setTyped] = useState(short !== '');
  return (
    <>
      <Field
        label={t.name}
        name="name"
        required
        autofocus
        onInput={({ currentTarget }) => !isTyped && setShort(suggestedName(currentTarget.value, MOST))}
      />
      <Field
        label={t.short}
        name="short"
        required
        maxLength={MOST}
        {...NAMED}
        title={t.nameRule}
        hint={t.shortHint}
        faultOf={() => t.nameRule}
        value={short}
        onInput={({ currentTarget: { value } }) => {
          setShort(value);
          setTyped(value !== '');
        }}
      />
      <Field
        label={t.type}
        name="type"
        required
        maxLength={MOST}
        defaultValue={t.defaultType}
        pattern="[a-z][a-z0-9_\-]*"
        title={t.typeRule}
        hint={t.typeHint}
        faultOf={() => t.typeRule}
        spellcheck={false}
        autocapitalize="none"
      />
    </>
  );
}

/** Creates a team, and opens its page. */
export const creation: Action = {
  label: t.create,
  isMain: true,
  text: t.createText,
  children: <NewTeamFields />,
  run: async ({ short = '', name = '', type = '' }, options) => {
    await client.team.create({ short, name, type }, options);
    go(hrefTo('team', { short }));
  },
  done: ({ name }) => t.created(<bdi>{name}</bdi>),
};

export const renaming = ({ team_short: short, team_name }: Team): Action => ({
  label: t.rename,
  title: t.renameAsk(<bdi>{team_name}</bdi>),
  text: t.renameText,
  children: <Field label={t.name} name="name" required defaultValue={team_name} autofocus />,
  run: ({ name = '' }, options) => client.team.rename({ short, name }, options),
  done: (_, result) => t.renamed(<bdi>{team_name}</bdi>, <bdi>{(result as Team).team_name}</bdi>),
  undo: () => ({
    label: t.renameBack,
    run: (options) => client.team.rename({ short, name: team_name }, options),
    done: t.renamedBack(<bdi>{team_name}</bdi>),
  }),
});

/** The teams that may take the members of one that is deleted. */
function SuccessorField({ of }: { readonly of: string }) {
  const query = useQuery(readTeams, []);
  const others = (query.data ?? []).filter(({ value }) => value !== of);
  const options = {
    '': t.noSuccessor,
    ...Object.fromEntries(others.map(({ value, note }) => [value, `${note} (${value})`])),
  };
  return (
    <>
      <Field label={t.successor} name="to" options={options} />
      <Pending {...query} isLoading={false} />
    </>
  );
}

export const deletion = ({ team_short: short, team_name }: Team): Action => ({
  label: t.delete,
  title: t.deleteAsk(<bdi>{team_name}</bdi>),
  isDangerous: true,
  text: t.deleteText,
  children: <SuccessorField of={short} />,
  run: ({ to = '' }, options) => client.team.delete({ short, ...(to && { to }) }, options),
  done: ({ to }) => {
    const name = <bdi>{team_name}</bdi>;
    return to ? t.deletedTo(name, <bdi>{to}</bdi>) : t.deleted(name);
  },
});

/** The team with a short name; undefined if there is none. */
export async function readTeam(short: string, signal: AbortSignal): Promise<Team | undefined> {
  for await (const team of client.team.browse({}, { signal }))
    if (foldCase(team.team_short) === foldCase(short)) return team;
  return undefined;
}

/** Requests at most for the members of all teams, each of up to a thousand accounts. */
const MAX_REQUESTS = 5;

/** The numbers of members by the short names of their teams in lower case. */
interface Counts {
  readonly of: ReadonlyMap<string, number>;
  /** Whether there are more accounts than were counted. */
  readonly isMore: boolean;
}

/** Counts the members of all teams in one pass: a search for the members of each would read all accounts again. */
export async function countMembers(signal: RequestOptions['signal']): Promise<Counts> {
  const counts = new Map<string, number>();
  let requests = 0;
  const pages = client.account.browse({ names: true, limit: 1000 }, { signal }).pages();
  for await (const { items, next_cursor } of pages) {
    for (const short of items.flatMap(({ team_shorts = [] }) => team_shorts.map(foldCase)))
      counts.set(short, (counts.get(short) ?? 0) + 1);
    if (next_cursor && ++requests === MAX_REQUESTS) return { of: counts, isMore: true };
  }
  return { of: counts, isMore: false };
}
