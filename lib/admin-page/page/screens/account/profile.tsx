import type { RequestOptions } from '../../../../client/index.ts';
import { changesIn, FIELDS, ProfileFields, textOf } from '../../accounts/fields.tsx';
import type { Read } from '../../accounts/read.ts';
import type { Action } from '../../act.tsx';
import { Field, type Fields } from '../../form.tsx';
import { Section } from '../../parts.tsx';
import { client } from '../../session.ts';

export function ProfilePart({ item: { username }, user, teams, apps, etag, after }: Read) {
  const save = (fields: Fields, options: RequestOptions) =>
    client.account
      .profileUpdate({ username, ...changesIn(fields, user) }, { ...options, ifMatch: etag })
      .catch((error) => {
        // Shows the values of another person who may have saved before.
        after();
        throw error;
      });
  const names = teams.map(({ team_id, team_short }) => [team_id, team_short]);
  const actions: Action[] = [
    {
      label: 'Edit profile',
      text: 'Sessions and tokens stay valid.',
      children: (
        <>
          <ProfileFields user={user} />
          <Field
            label="Default team"
            name="team_id"
            options={Object.fromEntries(user.team_id ? names : [['', 'None'], ...names])}
            defaultValue={user.team_id}
          />
        </>
      ),
      run: save,
    },
    {
      label: 'Change default application',
      text: 'Events about the account name this application. Sessions and tokens stay valid.',
      children: (
        <Field
          label="Application"
          name="app_name"
          options={Object.fromEntries(apps.map((name) => [name, name]))}
          defaultValue={user.user_app_name}
        />
      ),
      run: ({ app_name = '' }, options) => client.account.context({ username, app_name }, options),
    },
  ];
  const facts = {
    ...Object.fromEntries(FIELDS.map(({ name, label }) => [label, textOf(user, name)])),
    'Default team': user.team_name,
    'Default application': user.user_app_name,
  };
  return <Section title="Profile" on={username} after={after} actions={actions} facts={facts} />;
}
