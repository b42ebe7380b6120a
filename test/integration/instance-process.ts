import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Ready } from '../../infra/local/ready.ts';
import { ISSUERS } from './issuers.ts';
import { RESOURCES } from './resources.ts';

export interface InstanceProcess {
  readonly ready: Ready;
  readonly data: string;
  readonly process: ChildProcess;
  /** All that the instance has printed, standard output and error. */
  readonly output: () => string;
  /** Stops it as Ctrl-C does; resolves to the exit code. */
  readonly stop: () => Promise<number | null>;
  /** Kills the process itself, which gets no chance to tidy up. */
  readonly kill: () => Promise<void>;
}

const ROOT = join(import.meta.dirname, '../..');

/** The DynamoDB that all instances of the suite share, with a table each; by default, each starts its engine. */
export const DYNAMODB_URL = process.env['DYNAMODB_URL'];

const sharing = (data: string) => ({
  args: DYNAMODB_URL ? ['--table', data.replaceAll(/[^\w.-]/g, '_')] : [],
  env: DYNAMODB_URL
    ? { AWS_ENDPOINT_URL_DYNAMODB: DYNAMODB_URL, AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' }
    : {},
});

/** The environment without the settings of other instances of the suite. */
const inherited = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(AWS_|Settings__|ADMIN_)/.test(name)));

/** Settings of all instances by default: the tests erase what they have just cancelled. */
const QUICK = {
  Settings__BcryptCost: '10',
  Settings__ErasureAfterDays: '0',
  Settings__Issuers: ISSUERS,
  Settings__Resources: RESOURCES,
};

/** Every instance that this file has started, also those that have ended. */
export const started: InstanceProcess[] = [];

/** Logs, published events and audit lines of the instances that have ended. */
export const logged: string[] = [];

/** Logs, published events and audit lines of an instance so far. */
export const readLogs = async (data: string): Promise<string[]> =>
  Promise.all(
    ['functions.log', 'events.jsonl', 'verified.jsonl', 'operators.jsonl'].map((name) =>
      readFile(join(data, name), 'utf8').catch(() => ''),
    ),
  );

/**
 * Starts a local instance as a process of its own and waits until it is ready. It ends with this process, however
 * that ends: the channel between them is closed then.
 */
export async function startInstance({
  data,
  args = ['--no-demo'],
  nodeArgs = [],
  root = ROOT,
  build = false,
  env = {},
  within = [],
}: {
  data: string;
  args?: readonly string[];
  /** Arguments of Node.js itself. */
  nodeArgs?: readonly string[];
  /** The repository whose sources it runs. */
  root?: string;
  /** Whether it builds the functions; otherwise they run as the suite has built them. */
  build?: boolean;
  env?: Record<string, string>;
  /** A program that runs the command which follows its arguments. */
  within?: readonly string[];
}): Promise<InstanceProcess> {
  const shared = sharing(data);
  const flags = ['--port', '0', '--data', data, ...(build ? [] : ['--no-build']), ...shared.args, ...args];
  const command = [...within, process.execPath, ...nodeArgs, join(root, 'infra/local/main.ts'), ...flags];
  const child = spawn(command[0] as string, command.slice(1), {
    cwd: root,
    // No test depends on the cost of bcrypt.
    env: { ...inherited(), ...QUICK, ...shared.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const ready = await new Promise<Ready>((resolve, reject) => {
    createInterface(child.stdout as NonNullable<ChildProcess['stdout']>).on('line', (line) => {
      output += `${line}\n`;
      if (line.startsWith('{')) resolve(JSON.parse(line) as Ready);
    });
    exited.then(([code]) => reject(new Error(`The instance ended with ${code}\n${output}`)), reject);
  });
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    const running = child.exitCode === null && child.signalCode === null;
    if (running) child.kill(signal);
    const [code] = running ? await exited : [child.exitCode];
    if (running) logged.push(...(await readLogs(data)));
    return code;
  };
  const instance: InstanceProcess = {
    ready,
    data,
    process: child,
    output: () => output,
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL');
    },
  };
  started.push(instance);
  return instance;
}
