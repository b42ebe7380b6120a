import { InvalidArgumentError } from 'commander';
import * as z from 'zod/mini';

const timeOr = (relative: string) => `ISO 8601, or ${relative}: 30m, 24h, 7d`;
export const TIME = timeOr('an age');
export const AHEAD = timeOr('a time ahead');

/** As {@link since}, but an age is a time ahead. @throws InvalidArgumentError */
export const ahead = (text: string, before?: unknown, now = Date.now()): number =>
  AGE.test(text) ? 2 * now - since(text, before, now) : since(text, before, now, AHEAD);

const AGE = /^(\d{1,6})([smhd])$/;

const MILLISECONDS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A time, in UTC by default, or an age, in milliseconds since the epoch. @throws InvalidArgumentError */
export function since(text: string, _before?: unknown, now = Date.now(), expected = TIME): number {
  const [, amount, unit = ''] = AGE.exec(text) ?? [];
  if (amount !== undefined) return now - Number(amount) * (MILLISECONDS[unit] as number);
  const [whole, zone] = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? [''];
  const time = Date.parse(whole.includes('T') && !zone ? `${whole}Z` : whole);
  // `Date` reads 30 February as 2 March.
  const hasDay = z.iso.date().safeParse(whole.slice(0, 10)).success;
  if (Number.isNaN(time) || !hasDay) throw new InvalidArgumentError(`Expected ${expected}.`);
  return time;
}
