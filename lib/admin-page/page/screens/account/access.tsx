import type { RequestOptions } from '../../../../client/index.ts';
import { AccessFields, addedIn, KINDS, type Lists, removedIn } from '../../accounts/fields.tsx';
import type { Read } from '../../accounts/read.ts';
import type { Action } from '../../act.tsx';
import { Names, Section } from '../../parts.tsx';
import { client } from '../../session.ts';

type Changed = ReturnType<typeof addedIn>;

export function Access({ item: { username }, roles, teams, apps, after }: Read) {
  const now: Lists = { roles, teams: teams.map(({ team_short }) => team_short), apps };
  const send = (add: Changed, remove: Changed, options: RequestOptions) =>
    client.account.access({ username, add, remove }, options);
  const change: Action = {
    label: 'Change access',
    text: 'A name that no account has yet creates the role or application. Teams must exist.',
    children: <AccessFields now={now} />,
    run: (fields, options) => send(addedIn(fields, now), removedIn(fields, now), options),
    undo: (fields) => ({
      label: 'Undo',
      run: (options) => send(removedIn(fields, now), addedIn(fields, now), options),
    }),
  };
  const facts = Object.fromEntries(
    KINDS.map(([kind, label]) => [label, <Names key={kind} of={now[kind]} />]),
  );
  return <Section title="Access" on={username} after={after} actions={[change]} facts={facts} />;
}
