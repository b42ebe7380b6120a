import { CODE_HOURS } from '../../../../account/maxima.ts';
import type { Account } from '../../../../client/index.ts';
import { CHANGES, type Change } from '../../accounts/changes.tsx';
import { type Read, readAccount } from '../../accounts/read.ts';
import { LastActive, State } from '../../accounts/who.tsx';
import type { Action } from '../../act.tsx';
import { Avatar } from '../../avatar.tsx';
import { Field } from '../../form.tsx';
import { Pending } from '../../listing.tsx';
import { Confirm, Hours, Names, Once, Section } from '../../parts.tsx';
import { usePlace } from '../../place.ts';
import { useQuery } from '../../query.ts';
import { client } from '../../session.ts';
import { Time } from '../../time.tsx';
import { PageTitle } from '../../title.tsx';
import { Access } from './access.tsx';
import { History } from './history.tsx';
import { ProfilePart } from './profile.tsx';
import { Sessions } from './sessions.tsx';
import { Tokens } from './tokens.tsx';

/** A change as an action on one account. */
const actionOf = (change: Change, item: Account): Action => {
  const { label, will, needless, run, undo, isDangerous, fields } = change;
  return {
    label,
    text: `The account ${will}.`,
    isDue: !needless(item, [], ''),
    isDangerous,
    children: fields,
    run: (values, options) => run(item.username, values, options),
    undo: () => undo?.(item.username),
  };
};

/** Since when the account has a one-time code that works, by whom and until when. */
const OpenCode = ({ code_created_at, code_created_by, code_expires_at }: Read['user']) => (
  <>
    created <Time of={code_created_at} /> by <bdi>{code_created_by}</bdi>, ends <Time of={code_expires_at} />
  </>
);

function StatePart({ item, user, apps, after }: Read) {
  const { username, isactive } = item;
  const createCode: Action = {
    label: 'Create one-time code',
    text: 'On the login page, its owner chooses “Use a one-time code” and sets a new password. A new code replaces an earlier one.',
    isDue: isactive,
    children: <Hours defaultValue={`${CODE_HOURS}`} required />,
    run: async ({ hours }, options) => {
      const { code } = await client.account.code({ username, hours: Number(hours) }, options);
      return <Once label="One-time code" value={code} />;
    },
  };
  const reactivate: Action = {
    label: 'Reactivate',
    text: 'Its password works again. Its sessions stay ended.',
    isDue: !isactive,
    children: (
      <Field
        label="Its API tokens"
        name="tokens"
        required
        options={{ '': 'Choose…', revoke: 'are deleted', keep: 'work again' }}
      />
    ),
    run: ({ tokens }, options) =>
      client.account.reactivate({ username, revoke_tokens: tokens === 'revoke' }, options),
  };
  const { LOCK, UNLOCK, CANCEL } = CHANGES;
  const applications = ['Its applications: ', <Names key="apps" of={apps} />];
  const actions = [
    actionOf(LOCK, item),
    actionOf(UNLOCK, item),
    createCode,
    { ...actionOf(CANCEL, item), children: <Confirm text={username} hint={applications} /> },
    reactivate,
  ];
  const facts = {
    State: <State {...item} />,
    'Last active': <LastActive {...item} />,
    Created: <Time of={item.created_at} />,
    ...(user.code_created_at && { 'One-time code': <OpenCode {...user} /> }),
    ...(item.cancelled_by && { 'Cancelled by': item.cancelled_by }),
  };
  return <Section title="State" on={username} after={after} actions={actions} facts={facts} />;
}

const PARTS = [StatePart, ProfilePart, Access, Tokens, Sessions, History];

export function AccountView() {
  const { username = '' } = usePlace().state;
  const account = useQuery((signal) => readAccount(username, signal), []);
  const { data, reload } = account;
  return (
    <>
      <PageTitle
        title={username}
        before={data && <Avatar of={data.item} isLarge />}
        note={data && <bdi>{`${data.user.user_first_name} ${data.user.user_last_name}`.trim()}</bdi>}
      />
      <Pending {...account} />
      {data && PARTS.map((Part) => <Part key={Part} {...data} after={reload} />)}
    </>
  );
}
