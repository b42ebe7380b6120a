import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { folders, newFolder } from '../integration/folder.ts';
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
async function start(data: string, { build, unbuilt }: Kind): Promise<Start> {
  // As in a folder that was just installed.
  const env: Record<string, string> = unbuilt ? { NODE_COMPILE_CACHE: await newFolder() } : {};
  const nodeArgs = ['-r', './infra/node-version.cjs'];
  const began = performance.now();
  const instance = await startInstance({ data, build, args: [], nodeArgs, env });
  const wallMs = performance.now() - began;
  const used = usageOf(instance.process.pid as number);
  await instance.stop();
  return { wallMs, cpuMs: used.reduce((total, { cpuMs }) => total + cpuMs, 0) };
}

interface Kind {
  readonly label: string;
  readonly build: boolean;
  /** Whether nothing has been built, or compiled, before. */
  readonly unbuilt: boolean;
  /** Whether it starts on the data of the one before. */
  readonly again: boolean;
}

const KINDS: readonly Kind[] = [
  { label: 'first start, functions not built', build: true, unbuilt: true, again: false },
  { label: 'first start', build: true, unbuilt: false, again: false },
  { label: 'start on existing data', build: true, unbuilt: false, again: true },
  { label: 'first start, --no-build', build: false, unbuilt: false, again: false },
  { label: 'start on existing data, --no-build', build: false, unbuilt: false, again: true },
];

/** Starts instances, on new data directories and on what they hold then, in turn with a bare Node.js. */
export async function startRows(rounds: number, tell: (text: string) => void): Promise<readonly Row[]> {
  const taken = KINDS.map(() => [] as (Start & { bareMs: number })[]);
  for (let round = 1; round <= rounds; round++) {
    tell(`starts: round ${round} of ${rounds}`);
    let data = '';
    for (const [at, kind] of KINDS.entries()) {
      if (!kind.again) data = await newFolder();
      taken[at]?.push({ bareMs: await bareNode(), ...(await start(data, kind)) });
    }
  }
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
  return KINDS.map(({ label }, at) => {
    const all = taken[at] ?? [];
    return [
      label,
      median(all.map(({ wallMs }) => wallMs)),
      median(all.map(({ cpuMs }) => cpuMs)),
      median(all.map(({ wallMs, bareMs }) => wallMs / bareMs)),
    ];
  });
}
