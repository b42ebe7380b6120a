import { rm } from 'node:fs/promises';
import { profile } from '#lib/account/contracts';
import { createAccount } from '#lib/account/create';
import { ping } from '#lib/system/contracts';
import { createToken } from '#lib/token/create';
import { openTarget } from '../../infra/admin/target.ts';
import { bundle } from '../../infra/bundle.ts';
import { logIn } from '../cost/subjects.ts';
import { newFolder } from '../integration/folder.ts';
import { type InstanceProcess, startInstance } from '../integration/instance-process.ts';
import { collectGarbage } from './collect.ts';
import { sendAll } from './local-load.ts';
import { type Usage, usageOf } from './local-processes.ts';
import { startRows } from './local-start.ts';
import type { Benchmark, Row } from './report.ts';

/** So many that no item, and no partition of the engine, is a hot one. */
const ACCOUNTS = 300;

/** Of each kind; what comes before is not counted: until then V8 compiles. */
const MEASURED = 5000;
const WARM_UP = 10_000;

/** Requests after which memory is looked at again. */
const MEMORY_AT = [100_000, 200_000];

/** How long an instance takes to be ready, what a request costs it, and what memory it needs for many. */
export const local: Benchmark = async ({ rounds, only, tell }) => {
  const wanted = (part: string) => !only || only.includes(part);
  await bundle();
  const rows: Row[] = [];
  if (wanted('starts')) rows.push(...(await startRows(rounds, tell)));
  if (wanted('requests')) rows.push(...(await onInstance([], tell, requestRows)));
  // An instance that is inspected takes half as long again for a request.
  if (wanted('memory')) rows.push(...(await onInstance(['--inspect=127.0.0.1:0'], tell, memoryRows)));
  return {
    title: `The local instance, as npm start runs it (without npm): wall time until it is ready, CPU time of all its processes,
as a multiple of node -e 0; requests with ${ACCOUNTS} sessions in turn over 16 connections: CPU time of a request, how many a
second while this benchmark uses the machine too, and how many two cores would take that do nothing else; resident memory.`,
    columns: ['wall ms', 'CPU ms', 'node -e 0 = 1', 'a second', 'on 2 cores', '    MB', 'of the first'],
    rows,
  };
};

/** An instance under load. */
interface Loaded {
  readonly instance: InstanceProcess;
  readonly pid: number;
  readonly tell: (text: string) => void;
  /** Sends so many requests to one of {@link PATHS}, or to all in turn. */
  readonly send: (times: number, path?: string) => Promise<void>;
}

const PATHS = [ping, profile].map(({ path }) => path.replace('/{username?}', ''));

/** Starts an instance, and sends it what comes before all that is measured. */
async function onInstance(
  nodeArgs: readonly string[],
  tell: (text: string) => void,
  measure: (loaded: Loaded) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const data = await newFolder();
  const instance = await startInstance({ data, nodeArgs });
  const { url } = instance.ready;
  try {
    tell(`${ACCOUNTS} sessions`);
    const sessions = await sessionsOf(data, url);
    const send = (times: number, path?: string) =>
      sendAll(url, times, (n) => ({
        path: path ?? (PATHS[n % PATHS.length] as string),
        authorization: `Bearer ${sessions[(path ? n : n >> 1) % sessions.length]}`,
      }));
    tell(`${WARM_UP} requests`);
    await send(WARM_UP);
    return await measure({ instance, pid: instance.process.pid as number, tell, send });
  } finally {
    await instance.stop();
    await rm(data, { recursive: true });
  }
}

async function requestRows({ pid, tell, send }: Loaded): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const path of PATHS) {
    tell(path);
    const [before, began] = [usageOf(pid), performance.now()];
    await send(MEASURED, path);
    rows.push(...costOf(path, before, usageOf(pid), (performance.now() - began) / 1000));
  }
  return rows;
}

async function memoryRows({ instance, pid, tell, send }: Loaded): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const seen: (readonly Usage[])[] = [];
  const collected: (readonly Usage[])[] = [];
  let sent = WARM_UP;
  for (const total of [WARM_UP, ...MEMORY_AT]) {
    tell(`${total} requests`);
    await send(total - sent);
    sent = total;
    seen.push(usageOf(pid));
    rows.push(...memoryOf(`after ${total} requests`, seen));
    await collectGarbage(instance.output());
    collected.push(usageOf(pid).slice(0, 1));
    rows.push(...memoryOf('  its garbage collected', collected));
  }
  return rows;
}

/** A session each of accounts that differ. */
async function sessionsOf(data: string, url: string): Promise<readonly string[]> {
  const { runtime, actor } = await openTarget({ data });
  const sessions: string[] = [];
  for (let n = 0; n < ACCOUNTS; n++) {
    const account = await createAccount(runtime, { username: `bench-${n}` });
    sessions.push(await logIn(url, (await createToken(runtime, account, 'bench', actor)).value as string));
  }
  return sessions;
}

/** Each process by itself, and all. */
function costOf(path: string, before: readonly Usage[], after: readonly Usage[], seconds: number): Row[] {
  const each = after.map(({ name, cpuMs }, at) => ({
    name,
    cpuMs: (cpuMs - (before[at]?.cpuMs ?? 0)) / MEASURED,
  }));
  const all = each.reduce((total, { cpuMs }) => total + cpuMs, 0);
  return [
    [path, undefined, all, undefined, MEASURED / seconds, 2000 / all],
    ...each.filter(({ cpuMs }) => cpuMs > 0).map(({ name, cpuMs }): Row => [`  ${name}`, undefined, cpuMs]),
  ];
}

function memoryOf(label: string, seen: readonly (readonly Usage[])[]): Row[] {
  const [first = [], last = first] = [seen[0], seen.at(-1)];
  const row = (name: string, megabytes: number, before: number): Row => [
    name,
    ...Array.from({ length: 5 }, () => undefined),
    megabytes,
    megabytes / before,
  ];
  return last
    .filter(({ residentMb }) => residentMb > 5)
    .map(({ name, residentMb }, at) => row(`${name} ${label}`, residentMb, first[at]?.residentMb ?? 0));
}
