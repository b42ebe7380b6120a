import { median } from './report.ts';

/** CPU time of the thread that a piece of work takes, in microseconds; others on the machine make it longer, but not by much. */
function cpuMicros(work: () => unknown, times: number): number {
  const before = process.threadCpuUsage();
  for (let n = 0; n < times; n++) work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / times;
}

/** Rounds that are not counted: in these the code is compiled. */
const WARM_UP = 5;

/**
 * Does several kinds of work in turn, each `times` a round, so that a machine that is busy for a while slows down all.
 *
 * @returns the medians of their CPU times, in microseconds each
 */
export function alternate<Name extends string>(
  works: Readonly<Record<Name, () => unknown>>,
  rounds: number,
  times: number,
): Readonly<Record<Name, number>> {
  const names = Object.keys(works) as Name[];
  const taken = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = -WARM_UP; round < rounds; round++)
    for (const name of names) {
      const micros = cpuMicros(works[name], times);
      if (round >= 0) taken[name].push(micros);
    }
  return Object.fromEntries(names.map((name) => [name, median(taken[name])])) as Record<Name, number>;
}
