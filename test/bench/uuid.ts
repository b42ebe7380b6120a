import { v7 } from 'uuid';
import { sqlServerUuids } from '#lib/system/uuid';
import { alternate } from './alternate.ts';
import type { Benchmark } from './report.ts';

/** As many as one request may ask for. */
const MANY = 10_000;

/** Makes UUIDs in bulk as `uuids?n=10000` does, one by one as `uuid` does, and with the package uuid. */
export const uuid: Benchmark = async ({ rounds }) => {
  const generate = sqlServerUuids();
  const of = (one: () => unknown) => () => Array.from({ length: MANY }, one);
  const micros = alternate(
    { bulk: () => generate(MANY), single: of(() => generate(1)), v7: of(() => v7()) },
    rounds,
    10,
  );
  const row = (label: string, taken: number) => [label, MANY / taken, micros.v7 / taken] as const;
  return {
    title: `UUIDs: the median of ${rounds} alternating rounds, by the CPU time of the thread.`,
    columns: ['millions/s', 'uuid v7 = 1'],
    rows: [
      row('10,000 a call', micros.bulk),
      row('one a call', micros.single),
      row('uuid v7, one a call', micros.v7),
    ],
  };
};
