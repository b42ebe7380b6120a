import { useState } from 'preact/hooks';
import { CoreAccountError, type Profile, type RequestOptions } from '../../../client/index.ts';
import { Field, type Fields } from '../form.tsx';
import { type Action, Acts, Facts, Names, namesIn, Section } from '../parts.tsx';
import { client } from '../session.ts';
import type { Read } from './account.tsx';

/** Fields that people fill in, with the attributes of their controls. */
const FIELDS = {
  user_first_name: { label: 'First name', maxLength: 128 },
  user_last_name: { label: 'Last name', maxLength: 128 },
  phonenumber: { label: 'Phone', maxLength: 64 },
  user_short: { label: 'Initials', maxLength: 8 },
  user_color: { label: 'Colour', pattern: '#[0-9A-Fa-f]{6}', title: 'Such as #1A2B3C' },
  user_currency: { label: 'Currency', pattern: '[A-Z]{3}', title: 'Such as EUR' },
} as const;

const FILLED = Object.entries(FIELDS) as [keyof typeof FIELDS, { label: string }][];

/** The fields with the newest values. A field that was typed into keeps its text when somebody else changes the value. */
export function ProfileFields({ user }: { user?: Profile['user'] }) {
  const [begun] = useState(user);
  return FILLED.map(([name, attributes]) => {
    const isOutdated = user?.[name] !== begun?.[name];
    const hint = isOutdated && (
      <>
        Somebody else saved “<bdi>{user?.[name]}</bdi>”
      </>
    );
    return <Field key={name} {...attributes} name={name} defaultValue={user?.[name]} hint={hint} />;
  });
}

export function ProfilePart({ item: { username }, user, etag, after }: Read) {
  const save = async (fields: Fields, options: RequestOptions) => {
    const changes = FILLED.flatMap(([name]) => (fields[name] === user[name] ? [] : [[name, fields[name]]]));
    try {
      await client.account.profileUpdate(
        { username, ...Object.fromEntries(changes) },
        { ...options, ifMatch: etag },
      );
    } catch (error) {
      if (error instanceof CoreAccountError && error.code === 'precondition_failed') after();
      throw error;
    }
  };
  const edit: Action = {
    label: 'Edit profile',
    text: 'Sessions and tokens stay valid.',
    children: <ProfileFields user={user} />,
    run: save,
  };
  return (
    <Section title="Profile" actions={<Acts after={after} of={[edit]} />}>
      <Facts
        of={{
          ...Object.fromEntries(
            FILLED.map(([name, { label }]) => [label, user[name] && <bdi key={name}>{user[name]}</bdi>]),
          ),
          'Default team': user.team_name && <bdi>{user.team_name}</bdi>,
          'Default application': <bdi>{user.user_app_name}</bdi>,
        }}
      />
    </Section>
  );
}

const LISTS = { roles: 'roles', teams: 'teams (short names)', apps: 'applications' } as const;
const KINDS = Object.entries(LISTS) as [keyof typeof LISTS, string][];

/** The names in the fields of {@link AccessFields}. */
export const accessIn = (fields: Fields, of: string) =>
  Object.fromEntries(KINDS.map(([kind]) => [kind, namesIn(fields[`${of} ${kind}`])]));

/** Fields for names of roles, teams and applications. */
export const AccessFields = ({ of, now }: { of: string; now?: Readonly<Record<string, string[]>> }) =>
  KINDS.map(([kind, label]) => (
    <Field
      key={kind}
      label={`${of} ${label}`}
      name={`${of} ${kind}`}
      hint={
        now ? (
          <>
            Now: <Names of={now[kind] ?? []} />
          </>
        ) : (
          'With spaces between them'
        )
      }
      spellcheck={false}
    />
  ));

export function Access({ item: { username }, roles, teams, apps, after }: Read) {
  const now = { roles, teams: teams.map(({ team_short }) => team_short), apps };
  const change: Action = {
    label: 'Change access',
    text: 'Names have spaces between them. A new role or application begins with its first account.',
    children: (
      <>
        <AccessFields of="Add" now={now} />
        <AccessFields of="Remove" now={now} />
      </>
    ),
    run: (fields, options) =>
      client.account.access(
        { username, add: accessIn(fields, 'Add'), remove: accessIn(fields, 'Remove') },
        options,
      ),
  };
  return (
    <Section title="Access" actions={<Acts after={after} of={[change]} />}>
      <Facts
        of={{
          Roles: <Names of={roles} />,
          Teams: <Names of={now.teams} />,
          Applications: <Names of={apps} />,
        }}
      />
    </Section>
  );
}
