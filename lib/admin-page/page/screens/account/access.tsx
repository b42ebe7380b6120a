import { Chips } from '../../accounts/person.tsx';
import type { Read } from '../../accounts/read.ts';
import type { Action } from '../../act.tsx';
import type { Fields } from '../../form.tsx';
import { addedIn, KINDS, type Lists, MembershipFields, removedIn } from '../../memberships.tsx';
import { Section } from '../../parts.tsx';
import { client } from '../../session.ts';

/** What a change did, in words. */
function told(fields: Fields, now: Lists): string {
  const [added, removed] = [addedIn(fields, now), removedIn(fields, now)].map((lists) =>
    Object.values(lists).flat().join(', '),
  );
  const parts = [added && `added ${added}`, removed && `removed ${removed}`].filter(Boolean);
  return parts.length > 0 ? `Access changed: ${parts.join(', and ')}` : 'Nothing was to be changed';
}

export function Access({ item: { username }, roles, teams, apps, after }: Read) {
  const now: Lists = { roles, teams: teams.map(({ team_short }) => team_short), apps };
  const change: Action = {
    label: 'Change access',
    children: <MembershipFields now={now} />,
    run: (fields, options) =>
      client.account.access({ username, add: addedIn(fields, now), remove: removedIn(fields, now) }, options),
    done: (fields) => told(fields, now),
    undo: (fields) => ({
      label: 'Undo',
      run: (options) =>
        client.account.access(
          { username, add: removedIn(fields, now), remove: addedIn(fields, now) },
          options,
        ),
    }),
  };
  const facts = Object.fromEntries(
    KINDS.map(([kind, label]) => [label, <Chips key={kind} of={now[kind]} />]),
  );
  return <Section title="Access" on={username} after={after} actions={[change]} facts={facts} />;
}
