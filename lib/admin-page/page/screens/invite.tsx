import { changesIn, ProfileFields } from '../accounts/fields.tsx';
import { type Action, Acts } from '../act.tsx';
import { Field } from '../form.tsx';
import { addedIn, MembershipFields } from '../memberships.tsx';
import { Hours, inviteOf, Once } from '../parts.tsx';
import { go, hrefTo } from '../place.ts';
import { client } from '../session.ts';
import { PageTitle } from '../title.tsx';

const create: Action = {
  label: 'Create account',
  text: 'It has no password: its owner sets one on the login page, with a one-time code.',
  children: (
    <>
      <Field label="Username" name="username" required spellcheck={false} autocomplete="off" />
      <ProfileFields />
      <MembershipFields />
      <Hours hint="Empty: no code" />
    </>
  ),
  run: async (fields, options) => {
    const { username = '' } = fields;
    const access = Object.entries(addedIn(fields)).filter(([, names]) => names.length > 0);
    const account = { username, ...changesIn(fields), ...Object.fromEntries(access), ...inviteOf(fields) };
    const { code } = await client.account.create(account, options);
    go(hrefTo('account', { username }));
    return code && <Once label="One-time code" value={code} />;
  },
};

/** The screen that creates one account. */
export const Invite = () => (
  <>
    <PageTitle title="Invite" />
    <Acts of={[create]} />
  </>
);
