import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '#infra/bundle';
import { GUARD, onFreePort } from '#infra/local/services/engine';
import { CACHE, fillOnce } from '../cache.ts';

/**
 * Runs tests on AWS's own DynamoDB Local 1.25.1, as AWS ships it with Amplify: 56 MB, fetched once. The Amazon DynamoDB
 * Local License Agreement (`emulator/LICENSE.txt`) lets those use it who have an AWS account.
 */
const PACKAGE = 'amplify-dynamodb-simulator@2.9.30';
const INTEGRITY =
  'sha512-xTeeRLvzEfqyd5lh3bH4c0kHvSHHmmhD5ZDsHFKAQ5g2Zl6JqlFdutaQhCLHzxEp6Ry1o7TB6niIoXuQAnSewQ==';
const FOLDER = join(CACHE, PACKAGE);

function skip(reason: string): never {
  console.log(`skipped: DynamoDB Local ${reason}`);
  process.exit(0);
}

function fetchPackage(cwd: string): boolean {
  const pack = spawnSync('npm', ['pack', PACKAGE, '--json'], { cwd, encoding: 'utf8' });
  if (pack.status !== 0) return false;
  const [{ filename, integrity }] = JSON.parse(pack.stdout) as [{ filename: string; integrity: string }];
  if (integrity !== INTEGRITY) throw new Error(`${PACKAGE} has the integrity ${integrity}, not ${INTEGRITY}`);
  const { status } = spawnSync('tar', ['-xzf', filename, '--strip-components=2', 'package/emulator'], {
    cwd,
  });
  rmSync(join(cwd, filename));
  return status === 0;
}

/** Starts a program that ends with this one. */
const guarded = (command: readonly string[], cwd: string, env = {}) =>
  spawn('/bin/sh', ['-c', GUARD, 'guarded', ...command], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'inherit', 'inherit'],
  });

/** A start takes seconds, or longer on a busy machine. */
const STARTS_WITHIN_MS = 120_000;

async function start(port: number) {
  const command = 'java -Djava.library.path=./DynamoDBLocal_lib -jar DynamoDBLocal.jar -inMemory -sharedDb';
  const child = guarded([...command.split(' '), '-disableTelemetry', '-port', `${port}`], FOLDER);
  const timer = setTimeout(() => child.kill('SIGKILL'), STARTS_WITHIN_MS);
  child.once('exit', () => clearTimeout(timer));
  while (!(await fetch(`http://127.0.0.1:${port}`).catch(() => undefined))) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error('DynamoDB Local does not start');
    await sleep(50);
  }
  clearTimeout(timer);
  return child;
}

const [, version = ''] =
  /version "(\d+)/.exec(spawnSync('java', ['-version'], { encoding: 'utf8' }).stderr) ?? [];
if (!(Number(version) >= 17)) skip('needs Java 17 on the PATH');
if (!fillOnce(FOLDER, fetchPackage)) skip('cannot be fetched');
const { child: engine, port } = await onFreePort(start);
const vitest = ['vitest', 'run', '--config', 'test/vitest.config.ts', '--project', 'integration'];
const url = `http://127.0.0.1:${port}`;
const [code] = await once(
  guarded([...vitest, ...process.argv.slice(2)], ROOT, { DYNAMODB_URL: url }),
  'exit',
);
engine.kill('SIGKILL');
process.exitCode = code ?? 1;
