import { useState } from 'preact/hooks';
import { namesIn } from '../../../account/file/csv.ts';
import type { Profile, RequestOptions } from '../../../client/index.ts';
import { parseExactly } from '../../../input/exact-json.ts';
import type { Action } from '../act.tsx';
import { Field, type FieldProps, type Fields } from '../form.tsx';
import { Names, Section } from '../parts.tsx';
import { client } from '../session.ts';
import type { Read } from './account.tsx';

type User = Profile['user'];
type Filled = FieldProps & { readonly name: keyof User };

/** Fields that people fill in, with the attributes of their controls. */
const FIELDS: readonly Filled[] = [
  { name: 'user_first_name', label: 'First name' },
  { name: 'user_last_name', label: 'Last name' },
  { name: 'phonenumber', label: 'Phone' },
  { name: 'user_short', label: 'Initials' },
  { name: 'user_color', label: 'Colour', hint: 'Such as #1A2B3C' },
  { name: 'user_currency', label: 'Currency', hint: 'Such as EUR' },
  {
    name: 'user_properties',
    label: 'Custom properties',
    isLong: true,
    hint: 'JSON of applications, such as {"root": {"theme": "dark"}}',
  },
];

/** The value of a field as a text. */
function textOf(user: User | undefined, name: keyof User): string {
  const value = user?.[name] ?? '';
  return typeof value === 'object' ? JSON.stringify(value) : `${value}`;
}

/** The fields of a form that differ from the account, as the service takes them. */
export const changesIn = (fields: Fields, user?: User) =>
  Object.fromEntries(
    [...FIELDS.map(({ name }) => name), 'team_id' as const].flatMap((name) => {
      const text = fields[name] ?? '';
      if (text === textOf(user, name)) return [];
      return [[name, name === 'user_properties' ? parseExactly(text || '{}') : text]];
    }),
  );

/** The fields with the newest values. An edited field keeps its text when another person changes the value. */
export function ProfileFields({ user }: { user?: User }) {
  const [begun] = useState(user);
  return FIELDS.map(({ name, hint, ...rest }) => {
    const value = textOf(user, name);
    const saved = value !== textOf(begun, name) && (
      <>
        Another person saved “<bdi>{value}</bdi>”
      </>
    );
    return <Field key={name} {...rest} name={name} hint={saved || hint} defaultValue={value} />;
  });
}

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

const LISTS = { roles: 'Roles', teams: 'Teams (short names)', apps: 'Applications' } as const;
const KINDS = Object.entries(LISTS) as [keyof typeof LISTS, string][];

type Lists = Readonly<Record<keyof typeof LISTS, readonly string[]>>;

const eachKind = (namesOf: (kind: keyof Lists) => readonly string[]) =>
  Object.fromEntries(KINDS.map(([kind]) => [kind, namesOf(kind)])) as Record<keyof Lists, string[]>;

/** The names of the first list that the second lacks. */
const beyond = (names: readonly string[], others: readonly string[]) =>
  names.filter((name) => !others.includes(name));

/** The names in {@link AccessFields} that an account lacks. */
export const addedIn = (fields: Fields, now?: Lists) =>
  eachKind((kind) => beyond(namesIn(fields[kind]), now?.[kind] ?? []));

const removedIn = (fields: Fields, now: Lists) =>
  eachKind((kind) => beyond(now[kind], namesIn(fields[kind])));

/** A field with names, which shows the names that a change adds and removes. */
function NamesField({ now, ...rest }: { label: string; name: string; now: readonly string[] }) {
  const [names, setNames] = useState(now);
  const [added, removed] = [beyond(names, now), beyond(now, names)];
  const part = (label: string, some: readonly string[]) => some.length > 0 && [label, <Names of={some} />];
  const hint = (
    <span class="row" role="status">
      {part('Adds: ', added)}
      {part('Removes: ', removed)}
      {added.length + removed.length === 0 && 'With spaces between them'}
    </span>
  );
  return (
    <Field
      {...rest}
      defaultValue={now.join(' ')}
      onInput={({ currentTarget }) => setNames(namesIn(currentTarget.value))}
      hint={hint}
      spellcheck={false}
    />
  );
}

/** Fields for the names of roles, teams and applications. */
export const AccessFields = ({ now }: { now?: Lists }) =>
  KINDS.map(([kind, label]) => <NamesField key={kind} label={label} name={kind} now={now?.[kind] ?? []} />);

export function Access({ item: { username }, roles, teams, apps, after }: Read) {
  const now: Lists = { roles, teams: teams.map(({ team_short }) => team_short), apps };
  const change: Action = {
    label: 'Change access',
    text: 'A name that no account has yet creates the role or application. Teams must exist.',
    children: <AccessFields now={now} />,
    run: (fields, options) =>
      client.account.access({ username, add: addedIn(fields, now), remove: removedIn(fields, now) }, options),
  };
  const facts = Object.fromEntries(
    KINDS.map(([kind, label]) => [label, <Names key={kind} of={now[kind]} />]),
  );
  return <Section title="Access" on={username} after={after} actions={[change]} facts={facts} />;
}
