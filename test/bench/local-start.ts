import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { newFolder } from '../integration/folder.ts';
import { startInstance } from '../integration/instance-process.ts';
import { usageOf } from './local-processes.ts';
import { median, type Row } from './report.ts';

interface Start {
  readonly wallMs: number;
  /** Of all processes that it takes. */
  readonly cpuMs: number;
}

/** What nothing on Node.js can undercut. */
async function bareNode(): Promise<number> {
  const began = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
  return performance.now() - began;
}

/** Starts an instance by the command that `npm start` runs, until it says that it is ready. */
async function start(data: string, build: boolean): Promise<Start> {
  const began = performance.now();
  const nodeArgs = ['-r', './infra/node-version.cjs'];
  const instance = await startInstance({ data, build, args: [], nodeArgs });
  const wallMs = performance.now() - began;
  const used = usageOf(instance.process.pid as number);
  await instance.stop();
  return { wallMs, cpuMs: used.reduce((total, { cpuMs }) => total + cpuMs, 0) };
}

/** Starts instances, each on a new data directory and then again on what that holds, in turn with a bare Node.js. */
export async function startRows(rounds: number, tell: (text: string) => void): Promise<readonly Row[]> {
  const kinds = [
    { label: 'first start', build: true, again: false },
    { label: 'start on existing data', build: true, again: true },
    { label: 'first start, --no-build', build: false, again: false },
    { label: 'start on existing data, --no-build', build: false, again: true },
  ];
  const taken = kinds.map(() => [] as (Start & { bareMs: number })[]);
  for (let round = 1; round <= rounds; round++) {
    tell(`starts: round ${round} of ${rounds}`);
    let data = '';
    for (const [at, { build, again }] of kinds.entries()) {
      if (!again) data = await newFolder();
      taken[at]?.push({ bareMs: await bareNode(), ...(await start(data, build)) });
      if (again) await rm(data, { recursive: true });
    }
  }
  return kinds.map(({ label }, at) => {
    const all = taken[at] ?? [];
    return [
      label,
      median(all.map(({ wallMs }) => wallMs)),
      median(all.map(({ cpuMs }) => cpuMs)),
      median(all.map(({ wallMs, bareMs }) => wallMs / bareMs)),
    ];
  });
}
