import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { rewriteAssembly } from './assembly.ts';
import { ACCOUNT, type Emulator, REGION, startEmulator } from './emulator.ts';
import { type Call, openRecorder } from './recorder.ts';

const ROOT = join(import.meta.dirname, '../..');

export interface Ended {
  readonly status: number | null;
  /** Standard output, then standard error. */
  readonly output: string;
}

/** Runs a program in the repository to its end. */
export async function run(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = '',
): Promise<Ended> {
  const [program, ...args] = command as [string, ...string[]];
  const child = spawn(program, args, { cwd: ROOT, env: { ...process.env, ...env } });
  child.stdin.end(input);
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { status: child.exitCode, output: out + error };
}

export type Outputs = Readonly<Record<string, string>>;

/** An emulated account of AWS with the CDK's bootstrap stack. */
export interface Cloud {
  readonly env: Readonly<Record<string, string>>;
  readonly emulator: Emulator;
  /** Every call so far. */
  readonly calls: readonly Call[];
  /** Runs a command of the CDK. */
  readonly cdk: (...args: string[]) => Promise<Ended>;
  /**
   * Synthesizes the stack with options as `-c` takes them, rewrites it, and deploys it.
   *
   * @throws Error with what the CDK has printed, if it fails
   */
  readonly deploy: (stack: string, options?: readonly string[]) => Promise<Outputs>;
  readonly close: () => Promise<void>;
}

/** Starts the emulator in a folder and bootstraps its account. */
export async function openCloud(folder: string): Promise<Cloud> {
  let address: URL;
  const recorder = await openRecorder(() => address);
  const emulator = await startEmulator(folder, async (url) => {
    address = new URL(url);
    return recorder.url;
  });
  const env = { ...emulator.env, AWS_ENDPOINT_URL: recorder.url, HOME: folder };
  const cdk = (...args: string[]) => run(['cdk', ...args], env);
  const mustRun = async (...args: string[]) => {
    const { status, output } = await cdk(...args);
    if (status !== 0) throw new Error(`cdk ${args.join(' ')} failed:\n${output}`);
  };
  const bootstrap = async () => {
    const assembly = join(folder, 'bootstrap');
    await mustRun('synth', '--quiet', '--output', assembly);
    await mustRun('bootstrap', '--app', assembly, `aws://${ACCOUNT}/${REGION}`);
  };
  const deploy = async (stack: string, options: readonly string[] = []) => {
    const assembly = join(folder, stack);
    rmSync(assembly, { recursive: true, force: true });
    const context = [`stackName=${stack}`, ...options].flatMap((option) => ['-c', option]);
    await mustRun('synth', '--quiet', '--output', assembly, ...context);
    rewriteAssembly(assembly, stack);
    const outputs = join(assembly, 'outputs.json');
    await mustRun('deploy', '--app', assembly, '--require-approval', 'never', '--outputs-file', outputs);
    return JSON.parse(readFileSync(outputs, 'utf8'))[stack] as Outputs;
  };
  await bootstrap();
  return {
    env,
    emulator,
    calls: recorder.calls,
    cdk,
    deploy,
    async close() {
      await emulator.stop();
      await recorder.close();
    },
  };
}
