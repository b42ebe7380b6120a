import { type Action, Acts } from '../act.tsx';
import { Field } from '../form.tsx';
import { Hours, Once } from '../parts.tsx';
import { hrefTo } from '../place.ts';
import { client } from '../session.ts';
import { Import, inviteOf } from './import.tsx';
import { AccessFields, addedIn, changesIn, ProfileFields } from './profile.tsx';

const create: Action = {
  label: 'Create account',
  text: 'It has no password: its owner sets one with an invitation code, on the sign-in page.',
  children: (
    <>
      <Field label="Username" name="username" required spellcheck={false} autocomplete="off" />
      <ProfileFields />
      <AccessFields />
      <Hours hint="Empty: no code" />
    </>
  ),
  run: async (fields, options) => {
    const { username = '' } = fields;
    const access = Object.entries(addedIn(fields)).filter(([, names]) => names.length > 0);
    const account = { username, ...changesIn(fields), ...Object.fromEntries(access), ...inviteOf(fields) };
    const { code } = await client.account.create(account, options);
    return code && <Once label="Invitation code" value={code} />;
  },
  link: ({ username }) => <a href={hrefTo('account', { username })}>Open the account</a>,
};

export const NewAccount = () => (
  <>
    <Acts of={[create]} />
    <Import />
  </>
);
