import type { Profile } from '../../../client/index.ts';
import { parseExactly } from '../../../input/exact-json.ts';
import { Field, type FieldProps, type Fields } from '../form.tsx';

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

/** Fields of a form for a new account. */
export const ProfileFields = ({ of }: { readonly of: readonly Filled[] }) =>
  of.map((field) => <Field key={field.name} {...field} />);
