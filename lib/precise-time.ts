import { withoutZone } from './time.ts';

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
