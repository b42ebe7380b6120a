import { useState } from 'preact/hooks';
import { namesIn } from '../../../account/file/csv.ts';
import type { Profile } from '../../../client/index.ts';
import { parseExactly } from '../../../input/exact-json.ts';
import { Field, type FieldProps, type Fields } from '../form.tsx';
import { Names } from '../parts.tsx';

type User = Profile['user'];
type Filled = FieldProps & { readonly name: keyof User };

/** Fields that people fill in, with the attributes of their controls. */
export const FIELDS: readonly Filled[] = [
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
export function textOf(user: User | undefined, name: keyof User): string {
  const value = user?.[name] ?? '';
  return typeof value === 'object' ? JSON.stringify(value) : `${value}`;
}

/** The fields of a form that differ from the account, as the service takes them. */
export const changesIn = (fields: Fields, user?: User) =>
  Object.fromEntries(
    [...FIELDS.map(({ name }) => name), 'team_id' as const].flatMap((name) => {
      const text = fields[name];
      if (text === undefined || text === textOf(user, name)) return [];
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

const LISTS = { roles: 'Roles', teams: 'Teams (short names)', apps: 'Applications' } as const;
export const KINDS = Object.entries(LISTS) as [keyof typeof LISTS, string][];

export type Lists = Readonly<Record<keyof typeof LISTS, readonly string[]>>;

const eachKind = (namesOf: (kind: keyof Lists) => readonly string[]) =>
  Object.fromEntries(KINDS.map(([kind]) => [kind, namesOf(kind)])) as Record<keyof Lists, string[]>;

/** The names of the first list that the second lacks. */
const beyond = (names: readonly string[], others: readonly string[]) =>
  names.filter((name) => !others.includes(name));

/** The names in {@link AccessFields} that an account lacks. */
export const addedIn = (fields: Fields, now?: Lists) =>
  eachKind((kind) => beyond(namesIn(fields[kind]), now?.[kind] ?? []));

export const removedIn = (fields: Fields, now: Lists) =>
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
