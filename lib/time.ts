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

/**
 * Milliseconds since a fixed moment of the process. Node.js loads the global `performance` on its first use, which takes a
 * hundredth of a start.
 */
export const performance = { now: () => Number(process.hrtime.bigint()) / 1_000_000 };

let origin = Date.now() - performance.now();

/**
 * The wall clock with microseconds: `2026-11-20T05:30:00.123456Z`. The high-resolution counter stops while an execution
 * environment is frozen, so its origin is computed again when it differs from the wall clock by more than 1 ms.
 */
export function microsecondTimestamp(): string {
  const wall = Date.now();
  if (Math.abs(origin + performance.now() - wall) > 1) origin = wall - performance.now();
  const precise = origin + performance.now();
  const micros = Math.floor((precise % 1) * 1000);
  return `${withoutZone(Math.floor(precise))}${String(micros).padStart(3, '0')}Z`;
}
