import { useState } from 'preact/hooks';
import { namesIn } from '../../../account/file.ts';
import { CoreAccountError, type Profile, type RequestOptions } from '../../../client/index.ts';
import { parseExactly } from '../../../exact-json.ts';
import { type Action, Acts } from '../act.tsx';
import { Field, type FieldProps, type Fields } from '../form.tsx';
import { Facts, Names, Section } from '../parts.tsx';
import type { Read } from '../read-account.ts';
import { client } from '../session.ts';

type User = Profile['user'];

function checkJson({ currentTarget: field }: { currentTarget: HTMLInputElement }) {
  try {
    parseExactly(field.value || '{}');
    field.setCustomValidity('');
  } catch {
    field.setCustomValidity('Must be JSON');
  }
}

/** Fields that people fill in, with the attributes of their controls. */
const FIELDS = {
  user_first_name: { label: 'First name' },
  user_last_name: { label: 'Last name' },
  phonenumber: { label: 'Phone' },
  user_short: { label: 'Initials' },
  user_color: { label: 'Colour', hint: 'Such as #1A2B3C' },
  user_currency: { label: 'Currency', hint: 'Such as EUR' },
  user_properties: {
    label: 'Custom properties',
    isLong: true,
    hint: 'JSON of applications, such as {"root": {"theme": "dark"}}',
    onInput: checkJson,
    ...(!('rawJSON' in JSON) && {
      readOnly: true,
      hint: 'This browser is too old: it would round numbers.',
    }),
  },
} as const satisfies Partial<Record<keyof User, Partial<FieldProps>>>;

const FILLED = Object.entries(FIELDS) as [keyof typeof FIELDS, { label: string; hint?: string }][];

/** The value of a field as a text. */
function textOf(user: User | undefined, name: keyof User): string {
  const value = user?.[name] ?? '';
  return typeof value === 'object' ? JSON.stringify(value) : `${value}`;
}

/** The fields of a form that differ from the account, as the service takes them. */
export const changesIn = (fields: Fields, user?: User) =>
  Object.fromEntries(
    [...FILLED.map(([name]) => name), 'team_id' as const].flatMap((name) => {
      const text = fields[name] ?? '';
      if (text === textOf(user, name)) return [];
      return [[name, name === 'user_properties' ? parseExactly(text || '{}') : text]];
    }),
  );

/** The fields with the newest values. A field that was typed into keeps its text when somebody else changes the value. */
export function ProfileFields({ user }: { user?: User }) {
  const [begun] = useState(user);
  return FILLED.map(([name, attributes]) => {
    const value = textOf(user, name);
    const saved = value !== textOf(begun, name) && (
      <>
        Somebody else saved “<bdi>{value}</bdi>”
      </>
    );
    return (
      <Field key={name} {...attributes} name={name} hint={saved || attributes.hint} defaultValue={value} />
    );
  });
}

export function ProfilePart({ item: { username }, user, teams, apps, etag, after }: Read) {
  const save = async (fields: Fields, options: RequestOptions) => {
    try {
      await client.account.profileUpdate(
        { username, ...changesIn(fields, user) },
        { ...options, ifMatch: etag },
      );
    } catch (error) {
      if (error instanceof CoreAccountError && error.code === 'precondition_failed') after();
      throw error;
    }
  };
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
  return (
    <Section title="Profile" actions={<Acts on={username} after={after} of={actions} />}>
      <Facts
        of={{
          ...Object.fromEntries(
            FILLED.map(([name, { label }]) => {
              const value = textOf(user, name);
              return [label, value && <bdi>{value}</bdi>];
            }),
          ),
          'Default team': user.team_name && <bdi>{user.team_name}</bdi>,
          'Default application': <bdi>{user.user_app_name}</bdi>,
        }}
      />
    </Section>
  );
}

const LISTS = { roles: 'Roles', teams: 'Teams (short names)', apps: 'Applications' } as const;
const KINDS = Object.entries(LISTS) as [keyof typeof LISTS, string][];

type Lists = Readonly<Record<keyof typeof LISTS, readonly string[]>>;

/** The names of the first list that the second lacks. */
const beyond = (names: readonly string[], others: readonly string[]) =>
  names.filter((name) => !others.includes(name));

/** The names in {@link AccessFields} that an account lacks. */
export const addedIn = (fields: Fields, now?: Lists) =>
  Object.fromEntries(KINDS.map(([kind]) => [kind, beyond(namesIn(fields[kind]), now?.[kind] ?? [])]));

const removedIn = (fields: Fields, now: Lists) =>
  Object.fromEntries(KINDS.map(([kind]) => [kind, beyond(now[kind], namesIn(fields[kind]))]));

/** A field with names, which says what a change adds and removes. */
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

/** Earlier versions accepted names with spaces, which a field cannot hold and the service no longer takes. */
const editable = (names: readonly string[]) => names.filter((name) => !/\s/.test(name));

export function Access({ item: { username }, roles, teams, apps, after }: Read) {
  const shorts = teams.map(({ team_short }) => team_short);
  const now = { roles: editable(roles), teams: editable(shorts), apps: editable(apps) };
  const change: Action = {
    label: 'Change access',
    text: 'A name that no account has yet creates the role or application. Teams must exist.',
    children: <AccessFields now={now} />,
    run: (fields, options) =>
      client.account.access({ username, add: addedIn(fields, now), remove: removedIn(fields, now) }, options),
  };
  return (
    <Section title="Access" actions={<Acts on={username} after={after} of={[change]} />}>
      <Facts
        of={{
          Roles: <Names of={roles} />,
          Teams: <Names of={shorts} />,
          Applications: <Names of={apps} />,
        }}
      />
    </Section>
  );
}
