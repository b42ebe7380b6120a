/** Kinds of accounts. */
export const KINDS = ['person', 'machine'] as const;
export type Kind = (typeof KINDS)[number];
