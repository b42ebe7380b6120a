/** Digits of Crockford's base32 (https://www.crockford.com/base32.html). */
export const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A one-time code as it is shown, in a text: no part of a longer word. */
export const SHOWN_CODE = new RegExp(`(?<![\\w-])[${DIGITS}]{4}(?:-[${DIGITS}]{4}){2}(?![\\w-])`, 'g');

/**
 * Whether a shown code looks like no reference of people, such as `CASE-2024-0117`: a group has letters and digits. Only such
 * codes are created.
 */
export const isUnlikeReference = (code: string): boolean =>
  code.split('-').some((group) => /\d/.test(group) && /[A-Z]/.test(group));
