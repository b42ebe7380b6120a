import { isMachine } from '../../accounts/machines.tsx';
import { PasskeyList } from '../../accounts/passkeys.tsx';
import { Chips } from '../../accounts/person.tsx';
import type { Read } from '../../accounts/read.ts';
import type { Action } from '../../act.tsx';
import type { Fields } from '../../form.tsx';
import { addedIn, KINDS, type Lists, MembershipFields, removedIn } from '../../memberships.tsx';
import { Section } from '../../parts.tsx';
import { client } from '../../session.ts';

const listed = (verb: string, lists: Lists) => {
  const names = Object.values(lists).flat();
  return names.length === 0
    ? []
    : [[verb, ...names.flatMap((name, index) => [index > 0 ? ', ' : ' ', <bdi key={name}>{name}</bdi>])]];
};

const UNCHANGED = 'Nothing is changed yet. Add or remove a role, a team or an application, or go back.';

/** What a change did, in words. */
function told(username: string, fields: Fields, now: Lists) {
  const [first, second] = [
    ...listed('added', addedIn(fields, now)),
    ...listed('removed', removedIn(fields, now)),
  ];
  return (
    <>
      Access of <bdi>{username}</bdi> changed: {first}
      {second && ['; ', second]}.
    </>
  );
}

export function Access({ item, roles, teams, apps, after }: Read) {
  const { username } = item;
  const now: Lists = { roles, teams: teams.map(({ team_short }) => team_short), apps };
  const change: Action = {
    label: 'Change access',
    children: <MembershipFields now={now} isForMachine={isMachine(item)} />,
    run: async (fields, options) => {
      const [add, remove] = [addedIn(fields, now), removedIn(fields, now)];
      if ([add, remove].flatMap(Object.values).flat().length === 0) return Promise.reject(UNCHANGED);
      return client.account.access({ username, add, remove }, options);
    },
    done: (fields) => told(username, fields, now),
    undo: (fields) => ({
      label: 'Undo',
      run: (options) =>
        client.account.access(
          { username, add: removedIn(fields, now), remove: addedIn(fields, now) },
          options,
        ),
      done: (
        <>
          Access of <bdi>{username}</bdi> is as before.
        </>
      ),
    }),
  };
  const facts = Object.fromEntries(
    KINDS.map(([kind, label]) => [label, <Chips key={kind} of={now[kind]} />]),
  );
  return (
    <>
      <Section title="Access" on={username} after={after} actions={[change]} facts={facts} />
      {!isMachine(item) && <PasskeyList username={username} inputs={[item]} />}
    </>
  );
}
