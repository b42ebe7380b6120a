import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Contract, Job } from '#lib/contract/contract';
import { relayOutbox } from '#lib/outbox/jobs';
import { contracts, functions, memoryOf } from '#lib/routes';
import { bundle, bundleFile } from '../../infra/bundle.ts';
import { nodeFlags } from '../runtime/execution-environment.ts';
import { newFolder } from '../unit/support/folder.ts';
import { startMeasuredInstance } from './instance.ts';
import { openFunction, type Taken } from './open-function.ts';
import { type Benchmark, median, type Row } from './report.ts';
import { eventOf, type Instance, subjectsOf } from './subjects.ts';

/** The least that a function loads: the modules that every call to AWS needs. */
const FLOOR = `require('node:https'); require('node:crypto'); exports.handler = async () => ({ statusCode: 200 });`;

const COLUMNS = ['     kB', 'init: CPU', ' wall', '+ first request: CPU', ' wall'];

/** Starts every function in a process of its own with the variables that it is deployed with, and sends it a request. */
export const cold: Benchmark = async ({ rounds, only, tell }) => {
  await bundle();
  await using open = new AsyncDisposableStack();
  const { instance, env } = open.adopt(await startMeasuredInstance(), ({ stop }) => stop());
  const floorFile = join(newFolder(), 'floor.cjs');
  await writeFile(floorFile, FLOOR);
  const floors: Taken[] = [];
  const measured = functions
    .filter(({ id }) => !only || only.includes(id))
    .map((definition) => ({
      definition,
      firstEvent: firstEventsOf(definition, instance),
      starts: [] as (number | undefined)[][],
    }));
  for (let round = 1; round <= rounds; round++) {
    tell(`round ${round} of ${rounds}`);
    for (const { definition, firstEvent, starts } of measured) {
      const event = await firstEvent();
      // Each start has a floor of its own, so that a machine that is busy for a while slows down both.
      const floor = await start(definition, {}, floorFile);
      const own = await start(definition, env(definition), bundleFile(definition.id), event);
      floors.push(floor.init);
      starts.push(
        [own.init, own.first].flatMap((taken) => [
          taken && taken.cpuMs / floor.init.cpuMs,
          taken && taken.wallMs / floor.init.wallMs,
        ]),
      );
    }
  }
  const rows: Row[] = [];
  for (const { definition, starts } of measured) {
    const { size } = await stat(bundleFile(definition.id));
    rows.push([definition.id, size / 1000, ...[0, 1, 2, 3].map((at) => summary(starts, at, median))]);
  }
  const over = (label: string, pick: (values: readonly number[]) => number): Row => [
    label,
    ...COLUMNS.map((_, at) => summary(rows, at + 1, pick)),
  ];
  const floorMs = (measure: keyof Taken) => median(floors.map((floor) => floor[measure])).toFixed(1);
  return {
    title: `Cold starts: the median of ${rounds} alternating pairs of the floor and the function, each a process of its own.
1 is the init of the floor, a handler that loads node:https and node:crypto: ${floorMs('cpuMs')} ms of CPU time, ${floorMs('wallMs')} ms of wall time.`,
    columns: COLUMNS,
    rows: [...rows, over('median', median), over('heaviest', (values) => Math.max(...values))],
  };
};

/** Starts a function as Lambda does: the cost of its init, and that with its first request. */
async function start(definition: Contract | Job, env: Record<string, string>, file: string, event?: object) {
  const flags = nodeFlags(memoryOf(definition));
  await using fn = await openFunction(definition.id, env, file, flags, 'ignore');
  const { init } = fn;
  if (!event) return { init };
  const { cpuMs, wallMs } = await fn.invoke(event);
  return { init, first: { cpuMs: init.cpuMs + cpuMs, wallMs: init.wallMs + wallMs } };
}

/** The figures of one column, summarized. */
function summary(
  rows: readonly (readonly unknown[])[],
  at: number,
  pick: (values: readonly number[]) => number,
) {
  const figures = rows.map((row) => row[at]).filter((figure) => typeof figure === 'number');
  return figures.length > 0 ? pick(figures) : undefined;
}

/** Creates the first event of a function; undefined for a job that needs what the local instance lacks. */
function firstEventsOf({ id }: Contract | Job, instance: Instance): () => Promise<object | undefined> {
  if (id === relayOutbox.id) return async () => ({ 'detail-type': 'Scheduled Event', detail: {} });
  if (!contracts.some((contract) => contract.id === id)) return async () => undefined;
  // With a token, since the hash of a password takes longer than all the rest.
  const json = { username: 'api', password: instance.token };
  const login = { method: 'POST', path: '/api/core/account/login', json };
  const subject = subjectsOf(id, instance);
  return async () => eventOf(id === 'account.login' ? login : await subject(), 'bench');
}
