import * as z from 'zod/mini';
import { isJsonObject, toPlainNumber } from '../input/exact-json.ts';
import { plain } from '../item/fields.ts';
import type { Claims } from '../item/trust.ts';
import { MAX_CLAIMS, MAX_TEXT } from './maxima.ts';

const AROUND = 'Must not be empty, or have white space around it';
const PREFIX = 'Must be exact, or end in one * that follows a : or / directly, such as repo:octo/app:*';

/** A subject: exact, or how it begins. A `*` elsewhere would also accept names that others may choose. */
export const subject = () =>
  z
    .string()
    .check(
      z.maxLength(MAX_TEXT),
      plain(),
      z.regex(/^\S(.*\S)?$/, AROUND),
      z.regex(/^[^*]*([:/]\*)?$/, PREFIX),
    );

const VALUE = 'Must be a text, a number, true, false or null, or an object of them at most two levels deep';

/** A number that keeps its value in JSON, DynamoDB and JavaScript. */
const isExact = (number: number) =>
  !/[e]/i.test(String(number)) && (!Number.isInteger(number) || Number.isSafeInteger(number));

const exactNumber = () =>
  z.number().check(z.refine(isExact, 'Must be a number without an exponent, of at most 15 digits'));

/** Claims with plain numbers at all levels: an opaque one looks like an object. */
const withPlainNumbers = (value: unknown): unknown =>
  isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withPlainNumbers(each)]))
    : toPlainNumber(value);

const claimValue = () =>
  z.union([z.string().check(z.maxLength(MAX_TEXT)), exactNumber(), z.boolean(), z.null()], VALUE);

const claimName = () => z.string().check(z.minLength(1), z.maxLength(256), plain());

const claimsOf = <Value extends z.ZodMiniType>(value: Value) => z.record(claimName(), value);

/** Number of the values in claims, at all levels. */
const valuesIn = (claims: object): number =>
  Object.values(claims).reduce(
    (sum: number, value) => sum + (typeof value === 'object' && value !== null ? valuesIn(value) : 1),
    0,
  );

const hasEmptyObject = (claims: object): boolean =>
  Object.values(claims).some(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      (Object.keys(value).length === 0 || hasEmptyObject(value)),
  );

/** Claims with their exact values, in objects up to two levels deep. */
export const claims = () => {
  const inner = claimsOf(claimValue());
  const outer = claimsOf(z.union([claimValue(), inner], VALUE));
  const all = claimsOf(z.union([claimValue(), outer], VALUE)).check(
    z.refine((it) => valuesIn(it) <= MAX_CLAIMS, `Must have at most ${MAX_CLAIMS} values`),
    z.refine((it) => !hasEmptyObject(it), 'Must not have an empty object: it says nothing about the token'),
  );
  return z.pipe(z.transform(withPlainNumbers as (claims: Claims) => Claims), all);
};
