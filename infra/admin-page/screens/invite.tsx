import { CODE_HOURS } from '#lib/account/maxima';
import type { RequestOptions } from '#lib/client/index';
import { invite as t } from '#texts/invite';
import { changesIn, FIELDS, ProfileFields, UsernameField } from '../accounts/fields.tsx';
import { nameOf } from '../accounts/person.tsx';
import { type FieldProps, type Fields, Form } from '../form.tsx';
import { Invitation } from '../invitation.tsx';
import { Pending } from '../listing.tsx';
import { addedIn, MembershipField, useKnown } from '../memberships.tsx';
import { Disclosure, Hours, inviteOf } from '../parts.tsx';
import { go, hrefTo } from '../place.ts';
import { client } from '../session.ts';
import { PageTitle } from '../title.tsx';

/** How the page calls the person of a form. */
const called = ({ username = '', ...fields }: Fields) => nameOf({ username, ...fields }) || username;

async function invite(fields: Fields, options: RequestOptions) {
  const { username = '' } = fields;
  const access = Object.entries(addedIn(fields)).filter(([, names]) => names.length > 0);
  const account = { username, ...changesIn(fields), ...Object.fromEntries(access), ...inviteOf(fields) };
  const { code, code_expires_at: ends } = await client.account.create(account, options);
  go(hrefTo('account', { username }));
  return code && ends && <Invitation {...{ username, name: called(fields), code, ends }} />;
}

const done = (fields: Fields) => (
  <>{(fields['hours'] ? t.invited : t.created)(<bdi title={fields['username']}>{called(fields)}</bdi>)}</>
);

const isName = ({ name }: FieldProps) => /_(first|last)_name$/.test(name);

/** The screen that creates the account of one person, with the code with which they set a password. */
export function Invite() {
  const { query, known } = useKnown();
  return (
    <>
      <PageTitle title={t.title} note={t.note} />
      <div class="card narrow">
        <Form submit={t.submit} onSubmit={invite} done={done} draft="invite">
          <div class="grid">
            <ProfileFields of={FIELDS.filter(isName)} />
          </div>
          <UsernameField placeholder={t.example} hint={t.usernameHint} />
          <MembershipField kind="roles" known={known} />
          <MembershipField kind="teams" known={known} />
          <Pending {...query} isLoading={false} />
          <Disclosure title={t.more}>
            <Hours defaultValue={`${CODE_HOURS}`} none={t.noCode} />
            <MembershipField kind="apps" known={known} />
            <ProfileFields of={FIELDS.filter((field) => !isName(field))} />
          </Disclosure>
        </Form>
      </div>
    </>
  );
}
