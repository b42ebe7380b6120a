import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Contract, Job } from '#lib/contract/contract';
import { relayOutbox } from '#lib/outbox/jobs';
import { contracts, functions } from '#lib/routes';
import { bundle, bundleFile } from '../../infra/bundle.ts';
import type { ColdStart, Taken } from './cold-process.ts';
import { openStarts } from './cold-start.ts';
import { startMeasuredInstance } from './instance.ts';
import { type Benchmark, median, type Report, type Row } from './report.ts';
import { eventOf, type Instance, subjectsOf } from './subjects.ts';

/** What no function can undercut: it loads what every call to AWS needs, and answers at once. */
const FLOOR = `require('node:https'); require('node:crypto'); exports.handler = async () => ({ statusCode: 200 });`;

/** A function and the floor, started one right after the other. */
interface Pair {
  readonly floor: ColdStart;
  readonly own: ColdStart;
}

const COLUMNS = ['     kB', 'init: CPU', ' wall', '+ first request: CPU', ' wall'];

/** Starts every function in a process of its own with the variables that it is deployed with, and sends it a request. */
export const cold: Benchmark = async ({ rounds, only, tell }) => {
  await bundle();
  const folder = await mkdtemp(join(tmpdir(), 'cold-'));
  const { instance, env: envOf, stop } = await startMeasuredInstance();
  try {
    const start = await openStarts(folder);
    const floorFile = join(folder, 'floor.cjs');
    await writeFile(floorFile, FLOOR);
    const measured = functions
      .filter(({ id }) => !only || only.includes(id))
      .map((definition) => ({
        definition,
        firstEvent: firstEventsOf(definition, instance),
        pairs: [] as Pair[],
        env: envOf(definition),
      }));
    for (let round = 1; round <= rounds; round++) {
      tell(`round ${round} of ${rounds}`);
      for (const { definition, env, firstEvent, pairs } of measured) {
        const event = await firstEvent();
        const floor = await start(floorFile, definition, {}, undefined);
        pairs.push({ floor, own: await start(bundleFile(definition.id), definition, env, event) });
      }
    }
    const rows = measured.map(async ({ definition: { id }, pairs }): Promise<Row> => {
      const { size } = await stat(bundleFile(id));
      return [id, size / 1000, ...ratiosOf(pairs)];
    });
    return reportOf(
      await Promise.all(rows),
      measured.flatMap(({ pairs }) => pairs),
      rounds,
    );
  } finally {
    await stop();
    await rm(folder, { recursive: true });
  }
};

/** Makes the first event of a function, anew each time; undefined of a job that needs what the local instance lacks. */
function firstEventsOf(definition: Contract | Job, instance: Instance): () => Promise<object | undefined> {
  const { id } = definition;
  if (id === relayOutbox.id) return async () => ({ 'detail-type': 'Scheduled Event', detail: {} });
  if (!contracts.some((contract) => contract.id === id)) return async () => undefined;
  const subject = subjectsOf(id, instance);
  // By a token, since the hash of a password takes longer than all the rest.
  const json = { username: 'api', password: instance.token };
  return async () =>
    eventOf(
      id === 'account.login' ? { method: 'POST', path: '/api/core/account/login', json } : await subject(),
      'bench',
    );
}

/** Each pair has its own floor, so that a machine that is busy for a while slows down both. */
function ratiosOf(pairs: readonly Pair[]): (number | undefined)[] {
  const ratio = (part: (start: ColdStart) => Taken | undefined, measure: keyof Taken) => {
    const all = pairs.flatMap(({ floor, own }) => {
      const taken = part(own);
      return taken ? [taken[measure] / floor.init[measure]] : [];
    });
    return all.length > 0 ? median(all) : undefined;
  };
  const parts = [({ init }: ColdStart) => init, ({ first }: ColdStart) => first];
  return parts.flatMap((part) => [ratio(part, 'cpuMs'), ratio(part, 'wallMs')]);
}

function reportOf(rows: readonly Row[], pairs: readonly Pair[], rounds: number): Report {
  const figures = (at: number) => rows.flatMap(([, ...all]) => all[at] ?? []);
  const of = (label: string, pick: (values: readonly number[]) => number): Row => [
    label,
    ...COLUMNS.map((_, at) => (figures(at).length > 0 ? pick(figures(at)) : undefined)),
  ];
  const floorMs = (measure: keyof Taken) => median(pairs.map(({ floor }) => floor.init[measure])).toFixed(1);
  return {
    title: `Cold starts: the median of ${rounds} alternating pairs of the floor and the function, each a process of its own.
1 is the init of the floor, a handler that loads node:https and node:crypto: ${floorMs('cpuMs')} ms of CPU time, ${floorMs('wallMs')} ms of wall time.`,
    columns: COLUMNS,
    rows: [...rows, of('median', median), of('heaviest', (values) => Math.max(...values))],
  };
}
