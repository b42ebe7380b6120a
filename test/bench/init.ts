import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Contract } from '#lib/contract/contract';
import { contracts, timeoutOf } from '#lib/routes';
import { INIT_FILE } from '../../infra/bundle/init.ts';
import { bundle, bundleFile, bundleFolder } from '../../infra/bundle.ts';
import { ENDPOINTS } from '../../infra/local/sdk-environment.ts';
import type { Deployed } from '../runtime/deployed.ts';
import { openExecutionEnvironment } from '../runtime/execution-environment.ts';
import { CLIENT } from '../runtime/project.ts';
import { newFolder } from '../unit/support/folder.ts';
import { type CpuLimit, mayLimitCpu, openCpuLimit } from './cpu-limit.ts';
import { startMeasuredInstance } from './instance.ts';
import { type Benchmark, median, type Row } from './report.ts';
import { eventOf, type Subject } from './subjects.ts';
import { createCertificate, openTlsProxy } from './tls-proxy.ts';

/** From a small bundle to a large one, unless others are named. */
const SUBJECTS = ['system.ping', 'oauth.introspect', 'account.profile', 'account.login', 'account.browse'];

const MEMORIES = [128, 256, 512, 1024, 1769];
/** Memory that buys one CPU. */
const CPU_MB = 1769;
const WARM_REQUESTS = 10;

const OF_EACH = [' first', 'second', '  warm', 'peak MB'];
const COLUMNS = ['without: init', ...OF_EACH, 'with: init', ...OF_EACH, 'warm GB-ms'];

/**
 * Starts functions under Lambda's runtime interface client, with and without the module that reads the public keys in the
 * init phase. The table and the secret are reached over TLS. After the init phase, a function has the CPU of its memory.
 */
export const init: Benchmark = async ({ rounds, only = SUBJECTS, tell }) => {
  if (!existsSync(CLIENT)) return { skipped: 'compile the client first: npm run test:runtime -- --compile' };
  if (!mayLimitCpu()) return { skipped: 'only root may limit the CPU of a process (control groups)' };
  await bundle();
  await using open = new AsyncDisposableStack();
  const { instance, env } = open.adopt(await startMeasuredInstance(), ({ stop }) => stop());
  const cpu = open.adopt(openCpuLimit(), ({ close }) => close());
  const certificate = createCertificate();
  const overTls = async (url: string) =>
    open.adopt(await openTlsProxy(url, certificate), ({ close }) => close()).url;

  const measured = [];
  for (const contract of contracts.filter(({ id }) => only.includes(id))) {
    const variables: Record<string, string> = env(contract);
    for (const name of [ENDPOINTS.dynamodb, ENDPOINTS.secretsmanager])
      variables[name] = await overTls(variables[name] as string);
    variables['NODE_EXTRA_CA_CERTS'] = certificate.file;
    const without = newFolder();
    cpSync(bundleFolder(contract.id), without, { recursive: true });
    rmSync(join(without, INIT_FILE), { force: true });
    const event = eventOf(subjectOf(contract, instance), 'bench');
    for (const memory of MEMORIES)
      measured.push({
        label: `${contract.id}, ${memory} MB`,
        memory,
        figures: [[], []] as number[][][],
        folders: [without, bundleFolder(contract.id)],
        start: (folder: string) => start(deployedOf(contract, memory, folder), variables, event, cpu),
      });
  }
  for (let round = 1; round <= rounds; round++) {
    tell(`round ${round} of ${rounds}`);
    for (const { figures, folders, start } of measured)
      for (const [at, folder] of folders.entries()) figures[at]?.push(await start(folder));
  }
  const rows = measured.map(({ label, memory, figures }): Row => {
    const medians = figures.map((of) => [0, 1, 2, 3, 4].map((at) => median(of.map((each) => each[at] ?? 0))));
    return [label, ...medians.flat(), ((medians[1]?.[3] ?? 0) * memory) / 1024];
  });
  const sizes = await Promise.all(
    only.map(async (id) => `${id} ${Math.round((await stat(bundleFile(id))).size / 1000)} kB`),
  );
  return {
    title: `Init phase, first, second and later requests, in ms of wall time: the median of ${rounds} environments, alternately
without and with a read of the public keys in the init phase. The init phase has all CPUs, requests have that of the memory.
${sizes.join(', ')}.`,
    columns: COLUMNS,
    rows,
  };
};

/** A request that hashes no password: a hash takes longer than all the rest. */
function subjectOf({ id }: Contract, { jwt, token }: { jwt: string; token: string }): Subject {
  const path = contracts.find((contract) => contract.id === id)?.path.replace(/\/\{\w+\?\}$/, '') as string;
  if (id === 'account.login') return { method: 'POST', path, json: { username: 'api', password: token } };
  if (id === 'oauth.introspect') return { method: 'POST', path, jwt, form: { token: jwt } };
  return { method: 'GET', path, jwt };
}

/** The function as its template has it, with another memory. */
const deployedOf = (contract: Contract, memory: number, folder: string): Deployed => ({
  id: contract.id,
  folder,
  variables: {},
  Code: { S3Key: '' },
  Handler: 'index.handler',
  MemorySize: memory,
  Timeout: timeoutOf(contract),
  Environment: { Variables: {} },
});

/** The highest resident memory of a process so far. */
const peakMB = (pid: number) =>
  Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** The figures of one environment: its init phase, its first request, its second one, the median of later ones, its memory. */
async function start(deployed: Deployed, variables: Record<string, string>, event: object, cpu: CpuLimit) {
  const began = performance.now();
  cpu.limit(undefined);
  const environment = await openExecutionEnvironment(deployed, variables);
  try {
    cpu.add(environment.pid);
    await environment.initialised();
    const initMs = performance.now() - began;
    cpu.limit(deployed.MemorySize / CPU_MB);
    const requests: number[] = [];
    while (requests.length < 2 + WARM_REQUESTS) {
      const sent = performance.now();
      const answer = await environment.invoke(event, 'bench', 'Root=1-00000000-000000000000000000000000');
      requests.push(performance.now() - sent);
      const { statusCode, body } = JSON.parse(answer) as { statusCode: number; body: string };
      if (statusCode !== 200) throw new Error(`${deployed.id} answered ${statusCode}: ${body}`);
    }
    const [first = 0, second = 0, ...others] = requests;
    return [initMs, first, second, median(others), peakMB(environment.pid)];
  } finally {
    await environment.close();
  }
}
