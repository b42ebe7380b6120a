/** The people of a world. A thief has an ordinary account of its own. */
export const PEOPLE = ['owner', 'colleague', 'administrator', 'thief'] as const;
export type Person = (typeof PEOPLE)[number];

/** An account that a thief may create. */
export const CREATED = 'created';

/** The machine of an administrator. One that is robbed itself is the owner. */
export const MACHINE = 'machine';

/** Everybody whom a request can name. */
export const NAMES = [...PEOPLE, CREATED, MACHINE] as const;
export type Name = (typeof NAMES)[number];

/** Usernames are these words: states then differ in nothing but what happened. */
export const isName = (text: unknown): text is Name => NAMES.includes(text as Name);

/** Those who choose passwords: people, and an operator for an owner. */
export const CHOOSERS = [...NAMES, 'owner again', 'operator', 'owner by a code'] as const;

/** The password of an account that somebody chooses. Each is strong enough for the rules. */
export const passwordOf = (name: string, by: (typeof CHOOSERS)[number] = name as Name) =>
  `brass lantern ${name} quiet ${by} harbour`;
