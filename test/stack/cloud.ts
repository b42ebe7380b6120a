import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Assembly, openAssembly } from './assembly.ts';
import { ACCOUNT, REGION, startEmulator } from './emulator.ts';
import { openRecorder } from './recorder.ts';

const ROOT = join(import.meta.dirname, '../..');

/** An emulated account of AWS. */
export interface Cloud {
  /** What a program needs to reach it as administrator of the account. */
  readonly env: Readonly<Record<string, string>>;
  /** Folder of its files. */
  readonly folder: string;
  /** Checkout whose programs run; by default this one. */
  readonly checkout?: string;
}

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The file with the programs that have run, and their exit statuses. */
export const PROGRAMS = 'programs.jsonl';

/** Runs a program in a checkout to its end. */
export async function run(
  { env, folder, checkout = ROOT }: Cloud,
  command: readonly [string, ...string[]],
  input = '',
): Promise<Ended> {
  const [program, ...args] = command;
  const child = spawn(program, args, { cwd: checkout, env: { ...process.env, ...env } });
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  const status = child.exitCode;
  appendFileSync(join(folder, PROGRAMS), `${JSON.stringify({ command: command.join(' '), status })}\n`);
  return { status, stdout, stderr };
}

/** Runs a program that must succeed. @returns its standard output; @throws Error with all that it has printed */
export async function mustRun(cloud: Cloud, ...command: [string, ...string[]]): Promise<string> {
  const { status, stdout, stderr } = await run(cloud, command);
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

/** Runs an operator command on a stack. */
export const runAdmin = (cloud: Cloud, stack: string, args: readonly string[], input?: string) =>
  run(cloud, ['npm', 'run', '-s', 'admin', '--', '--stack', stack, ...args], input);

/** Runs an operator command that must succeed. @throws Error as {@link mustRun} */
export const admin = (cloud: Cloud, stack: string, ...args: string[]) =>
  mustRun(cloud, 'npm', 'run', '-s', 'admin', '--', '--stack', stack, ...args);

/** Starts the emulator and creates the CDK's bootstrap stack. */
export async function startCloud(folder: string): Promise<Cloud & { readonly stop: () => Promise<void> }> {
  const recorder = await openRecorder(join(folder, 'calls.jsonl'));
  const emulator = await startEmulator(folder, recorder.url);
  recorder.forwardTo(emulator.url);
  const env = { ...emulator.env, AWS_ENDPOINT_URL: recorder.url, HOME: folder };
  const cloud = { env, folder };
  // Elsewhere than in the repository, whose app it would run first.
  await mustRun(cloud, 'sh', '-c', `cd && cdk bootstrap aws://${ACCOUNT}/${REGION}`);
  return {
    ...cloud,
    async stop() {
      await emulator.stop();
      await recorder.close();
    },
  };
}

interface Deployment {
  /** Options as `-c` takes them. */
  readonly options?: readonly string[];
  /** The CDK app; by default that of the service. */
  readonly app?: string;
  /** Whether it is deployed without the changes for the emulator. */
  readonly asIs?: boolean;
  /** A change of what is deployed. */
  readonly edit?: (assembly: Assembly) => void;
}

export type Outputs = Readonly<Record<string, string>>;

/** Synthesizes a stack, rewrites it for the emulator, and deploys it. @throws Error as {@link mustRun} */
export async function deploy(
  cloud: Cloud,
  stack: string,
  { options = [], app, asIs = false, edit }: Deployment = {},
): Promise<Outputs> {
  const folder = join(cloud.folder, stack);
  rmSync(folder, { recursive: true, force: true });
  const context = options.flatMap((option) => ['-c', option]);
  const other = app === undefined ? [] : ['--app', app];
  await mustRun(cloud, 'cdk', 'synth', '--quiet', '--output', folder, ...other, ...context);
  const assembly = openAssembly(folder, stack);
  edit?.(assembly);
  if (!asIs) assembly.save();
  const outputs = join(folder, 'outputs.json');
  const args = ['--app', folder, '--require-approval', 'never', '--outputs-file', outputs];
  await mustRun(cloud, 'cdk', 'deploy', ...args);
  return JSON.parse(readFileSync(outputs, 'utf8'))[stack] ?? {};
}

/** Deploys the service as a stack. @throws Error as {@link mustRun} */
export const deployService = (cloud: Cloud, stack: string, deployment: Deployment = {}) =>
  deploy(cloud, stack, {
    ...deployment,
    options: [`stackName=${stack}`, ...(deployment.options ?? [])],
  });
