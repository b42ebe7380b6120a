import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { GUARD, onFreePort } from '#infra/local/engine/engine';
import { findDynamoDbLocal } from './download.ts';

const NEEDS_JAVA = 17;
/** It takes 2 s. */
const STARTS_WITHIN_MS = 60_000;
const ANSWERS_WITHIN_MS = 5000;
const POLL_MS = 50;

/** Why this machine cannot run it, if it cannot. */
function missing(): string | undefined {
  const { status, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  if (status !== 0) return 'there is no java on the PATH';
  const [, version = ''] = /version "([^"]+)"/.exec(stderr) ?? [];
  return Number.parseInt(version, 10) >= NEEDS_JAVA ? undefined : `java on the PATH is ${version}`;
}

/** Runs a program that ends with this one, killed though it is; Ctrl-C reaches it through here only. */
const guarded = (command: readonly string[], options: SpawnOptions) =>
  spawn('/bin/sh', ['-c', GUARD, 'guarded', ...command], { ...options, detached: true });

/** Starts it, in memory, on every interface of this machine: it cannot be told to use one only. */
async function start(folder: string, port: number): Promise<ChildProcess> {
  const command = ['java', '-Djava.library.path=./DynamoDBLocal_lib', '-jar', 'DynamoDBLocal.jar'];
  const options = ['-inMemory', '-sharedDb', '-disableTelemetry', '-port', `${port}`];
  const child = guarded([...command, ...options], {
    cwd: folder,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const deadline = performance.now() + STARTS_WITHIN_MS;
  while (!(await answers(`http://127.0.0.1:${port}`))) {
    // Where another program has taken the port meanwhile, it says so, and does not end.
    const hasFailed = child.exitCode !== null || said.includes('Exception');
    if (hasFailed || performance.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`DynamoDB Local does not start.\n${said}`);
    }
    await sleep(POLL_MS);
  }
  return child;
}

/** Whether any test has come here: otherwise they have all been run on the embedded engine, and prove nothing. */
async function wasUsed(endpoint: string): Promise<boolean> {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
  const { TableNames = [] } = await client.send(new ListTablesCommand());
  return TableNames.length > 0;
}

/** Another program would answer otherwise. */
const answers = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) }).then(
    ({ headers }) => headers.get('server')?.startsWith('Jetty') === true,
    () => false,
  );

function skip(reason: string): never {
  console.log(`skipped: ${reason}`);
  process.exit(0);
}

const reason = missing();
if (reason !== undefined) skip(`DynamoDB Local needs Java ${NEEDS_JAVA}, and ${reason}`);
const folder = findDynamoDbLocal() ?? skip('DynamoDB Local cannot be fetched');

const { child: engine, port } = await onFreePort('127.0.0.1', (free) => start(folder, free));
const url = `http://127.0.0.1:${port}`;
const args = ['run', '--config', 'test/vitest.config.ts', '--project', 'integration'];
const tests = guarded(['vitest', ...args, ...process.argv.slice(2)], {
  stdio: ['pipe', 'inherit', 'inherit'],
  env: { ...process.env, DYNAMODB_URL: url },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => tests.kill());
const [code] = (await once(tests, 'exit')) as [number | null];
const idle = code === 0 && !(await wasUsed(url));
if (idle) console.error('No test has used DynamoDB Local.');
engine.kill('SIGKILL');
process.exitCode = idle ? 1 : (code ?? 1);
