/** Longest name of a new passkey, in characters (Unicode code points). */
export const MAX_NAME = 50;

const formUpTo = (longest: number) =>
  new RegExp(`^[^\\/\\\\\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069]{1,${longest}}$`, 'u');

/**
 * The form of a name: any script, since people call a passkey as they call its device. A slash would reach a path, and
 * name another account. Line separators and overrides would forge or reorder rows.
 *
 * Clients in other languages get it too, so it has no class of Unicode (`\p`) and looks nowhere ahead, which not all of them can.
 */
export const NAME = formUpTo(MAX_NAME);

/** Longest name that an earlier version accepted. */
export const MAX_EARLIER_NAME = 128;

/** The same for such a name. */
export const EARLIER_NAME = formUpTo(MAX_EARLIER_NAME);

/**
 * White space, and invisible characters that come along when people type or paste; not all of those that usernames lose, since
 * a selector at the end is a part of a picture.
 */
const AROUND = /^[\s\u00ad\u200b-\u200d\u2060]+|[\s\u00ad\u200b-\u200d\u2060]+$/gu;

/** A name as it is stored: without what is around it, and composed (NFC). */
export const typedName = (text: string) => text.replace(AROUND, '').normalize('NFC');

/** Whether a name shows anything: a braille blank and fillers do not, and neither do marks for a missing letter. */
const isVisible = (name: string) => /[^\s\u2800\p{Default_Ignorable_Code_Point}]/u.test(name);

/** Dots lead to another folder of a path; the SDK drops the member `__proto__` of the account. */
const IMPOSSIBLE = ['.', '..', '__proto__'];

/** Whether a passkey can be stored under a name of the form {@link NAME}. */
export const isStorable = (name: string) => isVisible(name) && !IMPOSSIBLE.includes(name);

/**
 * A name as it is compared: canonical caseless matching of Unicode. Upper case, unlike lower case, depends on no neighbour
 * (final sigma) and spells ß as SS; lower case comes before it for ẞ. The dotless i has no other case there.
 */
const caseless = (name: string) =>
  name
    .normalize('NFD')
    .replace(/[^ı]+/gu, (text) => text.toLowerCase().toUpperCase())
    .normalize('NFD');

/** Whether some names contain one, regardless of case. */
export const hasName = (names: readonly string[], name: string) =>
  names.some((each) => caseless(each) === caseless(name));

/**
 * The one of some names that a text means: itself, or the only one that differs in case. Earlier versions gave names that
 * differ in case only.
 */
export function nameIn(names: readonly string[], text: string): string | undefined {
  if (names.includes(text)) return text;
  const alike = names.filter((name) => hasName([name], typedName(text)));
  return alike.length === 1 ? alike[0] : undefined;
}
