/** Milliseconds since the Unix epoch. */
export type Clock = () => number;

/** `2026-11-20T05:30:00.123`: UTC without a zone designator. */
export const withoutZone = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, -1);

/** `2026-11-20T05:30:00.123+00:00` */
export const withOffset = (milliseconds: number) => `${withoutZone(milliseconds)}+00:00`;

/** `2026-11-20`: the UTC date. */
export const dateOf = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10);

export const DAY_MS = 86_400_000;

/** The first millisecond of the UTC date. */
export const startOfDay = (milliseconds: number) => milliseconds - (milliseconds % DAY_MS);

/**
 * In place of the global of that name, of which functions use this alone: to load the global is a hundredth of a start.
 * Milliseconds since a moment that stays the same for the process.
 */
export const performance = {
  now(): number {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1000 + nanoseconds / 1_000_000;
  },
};

let origin = Date.now() - performance.now();

/**
 * The wall clock with microseconds: `2026-11-20T05:30:00.123456Z`. The high-resolution counter stands still
 * while an execution environment is frozen, so it is set by the wall clock again once they are 1 ms apart.
 */
export function microsecondTimestamp(): string {
  const wall = Date.now();
  if (Math.abs(origin + performance.now() - wall) > 1) origin = wall - performance.now();
  const precise = origin + performance.now();
  const micros = Math.floor((precise % 1) * 1000);
  return `${withoutZone(Math.floor(precise))}${String(micros).padStart(3, '0')}Z`;
}
