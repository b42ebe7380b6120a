import type { Profile } from '#lib/client/index';
import { parseExactly } from '#lib/input/exact-json';
import type { FilledIn } from '#lib/item/fields';
import { fields as t } from '#texts/fields';
import { Field, type FieldProps, type Fields } from '../form.tsx';

type User = Profile['user'];
type Name = keyof FilledIn | 'user_properties';

/** A field that people fill in, with the attributes of its control. */
interface Filled extends FieldProps {
  readonly name: Name;
  /** Whether most people know it; others are folded. */
  readonly isCommon: boolean;
}

const CONTROLS: Readonly<Record<Name, Pick<Filled, 'isCommon' | 'isLong'>>> = {
  user_first_name: { isCommon: true },
  user_last_name: { isCommon: true },
  phonenumber: { isCommon: true },
  user_short: { isCommon: true },
  user_color: { isCommon: false },
  user_currency: { isCommon: false },
  user_properties: { isCommon: false, isLong: true },
};

export const FIELDS: readonly Filled[] = Object.entries(CONTROLS).map(([name, control]) => ({
  name: name as Name,
  ...t[name as Name],
  ...control,
}));

/** The username of a new account. */
export const UsernameField = (example: Required<Pick<FieldProps, 'placeholder' | 'hint'>>) => (
  <Field
    label={t.username}
    name="username"
    required
    spellcheck={false}
    autocomplete="off"
    autocapitalize="none"
    {...example}
  />
);

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
  of.map(({ isCommon: _, ...field }) => <Field key={field.name} {...field} />);
