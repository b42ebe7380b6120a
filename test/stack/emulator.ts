import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { pythonProgram } from '../python.ts';

const {
  title,
  folder: PACKAGES,
  install,
} = pythonProgram('ministack', join(import.meta.dirname, 'requirements.txt'), 10);

export { install, title as EMULATOR };

/** Lets all Node.js programs find hosts below `localhost`. */
export const RESOLVE_LOCALHOST = `--require=${join(import.meta.dirname, 'localhost.cjs')}`;

export const ACCOUNT = '111122223333';
export const REGION = 'eu-central-1';

export interface Emulator {
  /** Address of the emulated services. */
  readonly url: string;
  /** What a program needs to reach them: the AWS SDK, its command line and the CDK. */
  readonly env: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

/** The variables of a client: an administrator of the emulated account. */
const clientOf = (url: string) => ({
  AWS_ENDPOINT_URL: url,
  AWS_REGION: REGION,
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  NODE_OPTIONS: RESOLVE_LOCALHOST,
});

const READY_MS = 60_000;

/**
 * Starts the emulator on loopback, with its files in a folder and nowhere else.
 *
 * @param endpoint what its functions call instead of the emulator itself
 */
export async function startEmulator(folder: string, endpoint: string): Promise<Emulator> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const log = openSync(join(folder, 'emulator.log'), 'a');
  // What the runtime of Lambda has beside Node.js.
  const modules = join(folder, 'runtime');
  mkdirSync(modules);
  symlinkSync(join(import.meta.dirname, '../../node_modules/@aws-sdk'), join(modules, '@aws-sdk'));
  const files = {
    HOME: folder,
    TMPDIR: folder,
    STATE_DIR: join(folder, 'state'),
    S3_DATA_DIR: join(folder, 's3'),
  };
  const child = spawn('python3', ['-m', 'ministack'], {
    env: {
      PATH: process.env['PATH'],
      PYTHONPATH: [join(import.meta.dirname, 'python'), PACKAGES].join(delimiter),
      NODE_OPTIONS: RESOLVE_LOCALHOST,
      NODE_PATH: modules,
      AWS_ENDPOINT_URL: endpoint,
      BIND_HOST: '127.0.0.1',
      GATEWAY_PORT: `${port}`,
      MINISTACK_ACCOUNT_ID: ACCOUNT,
      MINISTACK_REGION: REGION,
      // Grants are enforced, except for the account's administrator.
      AUTH: 'true',
      SFTP_ENABLED: '0',
      IOT_MTLS_ENABLED: '0',
      // A burst of requests leaves processes behind, about 65 MB each.
      LAMBDA_WARM_TTL_SECONDS: '20',
      ...files,
    },
    stdio: ['ignore', log, log],
    // A group of its own, with the processes of the functions.
    detached: true,
  });
  const kill = () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGKILL');
  };
  process.once('exit', kill);
  const stop = async () => {
    kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  const until = Date.now() + READY_MS;
  while (!(await isReady(url))) {
    if (child.exitCode !== null || Date.now() > until)
      throw new Error(`The emulator did not start: see ${folder}/emulator.log`);
    await sleep(200);
  }
  return { url, env: clientOf(url), stop };
}

const isReady = (url: string) =>
  fetch(`${url}/_ministack/health`).then(
    ({ ok }) => ok,
    () => false,
  );
