import { readdirSync, readFileSync } from 'node:fs';

/** What a process has used: CPU time of all its threads, and memory that is resident now. */
export interface Usage {
  readonly name: string;
  readonly cpuMs: number;
  readonly residentMb: number;
}

/** Of `getconf CLK_TCK`, which Linux has had on every processor for twenty years. */
const MS_A_TICK = 10;

/** What stands in `/proc/<pid>/stat` behind the name, which may have blanks. */
function statOf(pid: string): { name: string; parent: string; fields: readonly string[] } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const end = text.lastIndexOf(')');
    const fields = text.slice(end + 2).split(' ');
    return { name: text.slice(text.indexOf('(') + 1, end), parent: fields[1] as string, fields };
  } catch {
    return undefined;
  }
}

/**
 * What a process and all that it has started have used so far, the process itself first. What has ended is added to who
 * has waited for it.
 *
 * @see proc_pid_stat(5): fields 14 to 17 are ticks of CPU time
 */
export function usageOf(pid: number): readonly Usage[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((each) => {
      const stat = statOf(each);
      return stat ? [{ pid: each, ...stat }] : [];
    });
  const family = (root: string): typeof all => [
    ...all.filter((each) => each.pid === root),
    ...all.filter(({ parent }) => parent === root).flatMap((child) => family(child.pid)),
  ];
  return family(String(pid)).map(({ pid: each, name, fields }) => ({
    // Node.js calls its main thread so, and with it the process.
    name: name === 'MainThread' ? 'instance' : name,
    cpuMs: fields.slice(11, 15).reduce((ticks, field) => ticks + Number(field), 0) * MS_A_TICK,
    residentMb: residentMb(each),
  }));
}

const residentMb = (pid: string) => {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000;
  } catch {
    return 0;
  }
};
