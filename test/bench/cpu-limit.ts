import { accessSync, constants, existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Control groups of version 2, and those of version 1 with a hierarchy for the CPU. */
const [V2, V1] = ['/sys/fs/cgroup', '/sys/fs/cgroup/cpu'];
const PERIOD_US = 20_000;

const isV2 = existsSync(join(V2, 'cgroup.controllers'));
const parent = isV2 ? V2 : V1;

/** Whether this user may create control groups, usually root only. */
export function mayLimitCpu(): boolean {
  try {
    accessSync(parent, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A control group, which limits the CPU time of its processes. */
export type CpuLimit = ReturnType<typeof openCpuLimit>;

/** Creates a control group without a limit. @throws Error unless {@link mayLimitCpu} */
export function openCpuLimit() {
  const folder = join(parent, `core-account-${process.pid}`);
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  mkdirSync(folder);
  if (!isV2) write('cpu.cfs_period_us', `${PERIOD_US}`);
  return {
    /** Adds a process with its threads. */
    add: (pid: number) => write('cgroup.procs', `${pid}`),
    /** Limits all processes together to so many CPUs; undefined ends the limit. */
    limit(cpus: number | undefined) {
      const quota = cpus === undefined ? undefined : Math.round(cpus * PERIOD_US);
      if (isV2) write('cpu.max', `${quota ?? 'max'} ${PERIOD_US}`);
      else write('cpu.cfs_quota_us', `${quota ?? -1}`);
    },
    /** Once its processes have ended. */
    close: () => rmdirSync(folder),
  };
}
