import * as z from 'zod/mini';
import { toPlainNumber } from '../input/exact-json.ts';
import { PLAIN } from '../text/control-characters.ts';
import { DESTROYED, isDestroyed } from '../text/destroyed.ts';
import { trimmed } from '../text/trimmed.ts';
import type { SchemaTexts } from '../texts.ts';

/** The check that a text is shown as it is stored. */
export const plain = () => z.regex(PLAIN, 'Must not have control characters');

/** The check that a spreadsheet has not destroyed a value. */
export const intact = () => z.refine<string>((value) => !isDestroyed(value), DESTROYED);

/** A text that a terminal shows as it is stored, in one line. */
export const text = (max: number) => z.string().check(z.maxLength(max), plain());

/**
 * A text in which people type a username, a code or a search, without what surrounds it unseen: every form of a name is then
 * the same in its rule, its look-up and its attempts. It need not have the form of a username.
 */
export const typed = () => z.string().check(z.overwrite(trimmed));

/** A whole number in any spelling of JSON, such as `24.0`. */
export const wholeNumber = (min: number, max: number) =>
  z.pipe(z.transform(toPlainNumber as (value: number) => number), z.int().check(z.gte(min), z.lte(max)));

/**
 * Fields of an account that people fill in, with their rules. The item, new accounts, profile updates, the profile and
 * the directory take them from here.
 */
export const filledIn = () =>
  z.strictObject({
    phonenumber: text(64).check(intact()),
    user_first_name: text(128).check(intact()),
    user_last_name: text(128).check(intact()),
    user_color: z.string().check(z.regex(/^#[0-9A-Fa-f]{6}$/, 'Must be a colour such as #1A2B3C')),
    user_short: text(8).check(intact()),
    user_currency: z.string().check(z.regex(/^[A-Z]{3}$/, 'Must be an ISO 4217 code such as EUR')),
  });

export type FilledIn = z.output<ReturnType<typeof filledIn>>;

/** Values of these fields in new accounts, and in items from before a field was added. */
export const UNFILLED: FilledIn = {
  phonenumber: '',
  user_first_name: '',
  user_last_name: '',
  user_color: '#455A64',
  user_short: '',
  user_currency: 'EUR',
};

/** Fields of the account item that both the profile and the directory show unchanged. */
export const shownFields = () =>
  z.strictObject({
    username: z.string(),
    emailconfirmed: z.boolean(),
    ...filledIn().shape,
    team_id: z.string(),
    team_name: z.string(),
    user_app_name: z.string(),
    user_home: z.nullable(z.string()),
  });

export const shownTexts = {
  fields: {
    emailconfirmed: 'Whether the e-mail address has been confirmed',
    phonenumber: 'Telephone number, in any notation',
    user_first_name: 'First name',
    user_last_name: 'Last name',
    user_color: 'Colour, in the form `#RRGGBB`',
    user_short: 'Initials',
    user_currency: 'Currency (ISO 4217)',
    team_id: 'Default team; empty if there is none',
    team_name: 'Name of the default team; empty if there is none',
    user_app_name: 'Application context',
    user_home: 'Start page; null if there is none',
  },
} as const satisfies SchemaTexts;

/** Creates a function that takes the fields of a schema from an item, in their order. DynamoDB returns any order. */
export function fieldsOf<Schema extends z.ZodMiniObject>(schema: () => Schema) {
  const unfilled: Readonly<Record<string, unknown>> = UNFILLED;
  let names: readonly string[] | undefined;
  return (item: object) => {
    // Functions need not create the schema when they start.
    names ??= Object.keys(schema().shape);
    const given = item as Readonly<Record<string, unknown>>;
    const fields: Record<string, unknown> = {};
    for (const name of names) fields[name] = given[name] === undefined ? unfilled[name] : given[name];
    return fields as z.output<Schema>;
  };
}
