/** Greedy from the end on: a search for unseen characters before the end would take quadratic time. */
const SEEN = /^[\p{White_Space}\p{DI}]*(.*[^\p{White_Space}\p{DI}])?/su;

/**
 * A text without white space and characters without a glyph (Unicode's `Default_Ignorable_Code_Point`) around it: phones, chats
 * and spreadsheets add them to a name or a code. Passwords stay as they are typed.
 */
export const trimmed = (text: string): string => SEEN.exec(text)?.[1] ?? '';
