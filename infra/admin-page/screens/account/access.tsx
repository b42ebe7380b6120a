import { account as t } from '#texts/account';
import { isMachine } from '../../accounts/machines.tsx';
import { PasskeyList } from '../../accounts/passkeys.tsx';
import { Chips } from '../../accounts/person.tsx';
import type { Read } from '../../accounts/read.ts';
import { Called } from '../../accounts/who.tsx';
import type { Action } from '../../act.tsx';
import type { Fields } from '../../form.tsx';
import { addedIn, KINDS, type Lists, MembershipFields, removedIn, roleName } from '../../memberships.tsx';
import { Section } from '../../parts.tsx';
import { client } from '../../session.ts';

/** What people call the names of a kind. */
const callsOf = (kind: keyof Lists) => (kind === 'roles' ? roleName : String);

const listed = (verb: string, lists: Lists) => {
  const names = KINDS.flatMap(([kind]) => lists[kind].map(callsOf(kind)));
  return names.length === 0
    ? []
    : [[verb, ...names.flatMap((name, index) => [index > 0 ? ', ' : ' ', <bdi key={name}>{name}</bdi>])]];
};

/** What a change did, in words. */
function told(fields: Fields, now: Lists) {
  const [first, second] = [
    ...listed(t.added, addedIn(fields, now)),
    ...listed(t.removed, removedIn(fields, now)),
  ];
  return [first, second && ['; ', second]];
}

export function Access({ item, roles, teams, apps, after }: Read) {
  const { username } = item;
  const now: Lists = { roles, teams: teams.map(({ team_short }) => team_short), apps };
  const name = <Called {...item} />;
  const change: Action = {
    label: t.change,
    title: t.changeAsk(name),
    children: <MembershipFields now={now} isForMachine={isMachine(item)} />,
    run: async (fields, options) => {
      const [add, remove] = [addedIn(fields, now), removedIn(fields, now)];
      if ([add, remove].flatMap(Object.values).flat().length === 0) return Promise.reject(t.unchanged);
      return client.account.access({ username, add, remove }, options);
    },
    done: (fields) => t.accessChanged(name, told(fields, now)),
    undo: (fields) => ({
      label: t.undo,
      run: (options) =>
        client.account.access(
          { username, add: removedIn(fields, now), remove: addedIn(fields, now) },
          options,
        ),
      done: t.accessBack(name),
    }),
  };
  const facts = Object.fromEntries(
    KINDS.map(([kind, label]) => [label, <Chips key={kind} of={now[kind].map(callsOf(kind))} />]),
  );
  return (
    <>
      <Section title={t.access} on={username} after={after} actions={[change]} facts={facts} />
      {!isMachine(item) && <PasskeyList username={username} inputs={[item]} />}
    </>
  );
}
