/** Milliseconds since the Unix epoch. */
export type Clock = () => number;

/** UTC: `2026-11-20T05:30:00.123Z`. */
export const isoOf = (milliseconds: number) => new Date(milliseconds).toISOString();

/** UTC without a zone designator: `2026-11-20T05:30:00.123`. */
export const withoutZone = (milliseconds: number) => isoOf(milliseconds).slice(0, -1);

/** Milliseconds since the epoch of a time in ISO 8601, which is in UTC if it names no zone. */
export const parseTime = (text: string) => Date.parse(/T.*[Z+-]/.test(text) ? text : `${text}Z`);

/** `2026-11-20T05:30:00.123+00:00` */
export const withOffset = (milliseconds: number) => `${withoutZone(milliseconds)}+00:00`;

/** UTC date: `2026-11-20`. */
export const dateOf = (milliseconds: number) => isoOf(milliseconds).slice(0, 10);

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** First millisecond of the UTC date. */
export const startOfDay = (milliseconds: number) => milliseconds - (milliseconds % DAY_MS);
