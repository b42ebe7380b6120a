import * as z from 'zod/mini';
import { parseTime } from '../time.ts';

/** The query of a listing; by default the whole listing in one answer. */
export const pageQuery = () =>
  z.strictObject({
    limit: z.optional(
      z.pipe(
        z.string().check(z.regex(/^([1-9]\d{0,3}|10000)$/, 'Must be a whole number from 1 to 10000')),
        z.transform(Number),
      ),
    ),
    cursor: z.optional(z.string().check(z.minLength(1), z.maxLength(1024))),
  });

/** The query of a listing by IDs: its cursor is the last one. */
export const pageQueryById = () =>
  z.extend(pageQuery(), { cursor: z.optional(z.uuid().check(z.toLowerCase())) });

const TIME = 'Must be a time such as 2026-11-20T05:30:00Z';

/** A time in ISO 8601, which is in UTC if it names no zone. */
export const timeText = () => z.iso.datetime({ local: true, offset: true, error: TIME });

/**
 * A {@link timeText} with at most milliseconds, parsed to milliseconds since the epoch. An offset may move the year out of
 * 0000 to 9999: such a time is refused, since its text does not sort among the others.
 */
export const instant = () =>
  z.pipe(
    timeText().check(z.refine((text) => /^[^+-]/.test(`${new Date(parseTime(text)).toJSON()}`), TIME)),
    z.transform(parseTime),
  );

const DATE_OR_TIME = 'Must be a date such as 2026-11-20, or a time such as 2026-11-20T05:30:00Z';

/** An {@link instant} in a query, or a date, which stands for its first millisecond in UTC. */
export const instantOrDate = () =>
  z.union(
    [
      z.pipe(
        z.iso.date(),
        z.transform((date: string) => Date.parse(date)),
      ),
      instant(),
    ],
    DATE_OR_TIME,
  );

/** Field that a page adds when further items exist: the `cursor` of the next page. */
export const page = () => ({ next_cursor: z.optional(z.string()) });
