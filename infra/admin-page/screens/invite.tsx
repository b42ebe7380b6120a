import { CODE_HOURS } from '#lib/account/maxima';
import type { RequestOptions } from '#lib/client/index';
import { changesIn, FIELDS, ProfileFields, UsernameField } from '../accounts/fields.tsx';
import { type FieldProps, type Fields, Form } from '../form.tsx';
import { Invitation } from '../invitation.tsx';
import { Pending } from '../listing.tsx';
import { addedIn, MembershipField, useKnown } from '../memberships.tsx';
import { Disclosure, Hours, inviteOf } from '../parts.tsx';
import { go, hrefTo } from '../place.ts';
import { client } from '../session.ts';
import { PageTitle } from '../title.tsx';

async function invite(fields: Fields, options: RequestOptions) {
  const { username = '', user_first_name = '', user_last_name = '' } = fields;
  const access = Object.entries(addedIn(fields)).filter(([, names]) => names.length > 0);
  const account = { username, ...changesIn(fields), ...Object.fromEntries(access), ...inviteOf(fields) };
  const { code, code_expires_at: ends } = await client.account.create(account, options);
  go(hrefTo('account', { username }));
  const name = `${user_first_name} ${user_last_name}`.trim() || username;
  return code && ends && <Invitation {...{ username, name, code, ends }} />;
}

const done = ({ username, hours }: Fields) => (
  <>
    <bdi>{username}</bdi>{' '}
    {hours
      ? 'is invited. They can log in once they have set a password.'
      : 'is created. No one can log in to it until you create a one-time code.'}
  </>
);

const isName = ({ name }: FieldProps) => /_(first|last)_name$/.test(name);

/** The screen that creates the account of one person, with the code with which they set a password. */
export function Invite() {
  const { query, known } = useKnown();
  return (
    <>
      <PageTitle
        title="Invite"
        note="Creates an account, and a one-time code with which its owner sets a password."
      />
      <div class="card narrow">
        <Form submit="Invite" onSubmit={invite} done={done}>
          <div class="grid">
            <ProfileFields of={FIELDS.filter(isName)} />
          </div>
          <UsernameField placeholder="anna.keller" hint="They log in with it. It cannot be changed." />
          <MembershipField kind="roles" known={known} />
          <MembershipField kind="teams" known={known} />
          <Pending {...query} isLoading={false} />
          <Disclosure title="More">
            <Hours defaultValue={`${CODE_HOURS}`} hint="Empty: no code, for a program with API tokens." />
            <MembershipField kind="apps" known={known} />
            <ProfileFields of={FIELDS.filter((field) => !isName(field))} />
          </Disclosure>
        </Form>
      </div>
    </>
  );
}
