import { createHash } from 'node:crypto';
import type { FilledIn } from '../item/fields.ts';
import { foldCase } from '../text/fold-case.ts';

/** Dark enough for white initials: each has a contrast of at least 4.5 with white (WCAG 2.2). */
const PALETTE = [
  '#1F5F8B',
  '#7A3E9D',
  '#9C2F4A',
  '#8A4B08',
  '#4D6B1E',
  '#14706B',
  '#2F4B9C',
  '#8B2F7E',
  '#6B4226',
  '#00695C',
  '#5D4037',
  '#455A64',
  '#B0304A',
  '#3F51B5',
  '#6A1B9A',
  '#2E6F40',
] as const;

/** A colour of the palette, always the same for a username. */
export const colorFor = (username: string): string =>
  PALETTE[(createHash('sha256').update(foldCase(username)).digest()[0] as number) % PALETTE.length] as string;

const initial = (name = '') => [...name.trim()][0] ?? '';

/** First letters of both names in upper case; without names, the first two characters of the username. */
export function initialsFor({ username, ...names }: { username: string } & Partial<FilledIn>): string {
  const initials = initial(names.user_first_name) + initial(names.user_last_name);
  return (initials || username.slice(0, 2)).toUpperCase();
}
