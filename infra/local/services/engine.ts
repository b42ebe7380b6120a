import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { say } from '../machine/terminal.ts';

export interface Engine {
  readonly url: string;
  close(): Promise<void>;
}

/** A start takes longer while a previous engine still holds the file. */
const STARTS_WITHIN_MS = 10_000;
const STOPS_WITHIN_MS = 3000;
const ATTEMPTS = 3;

/** Users who can log in, other than the system and this one: `name:password:uid:gid:comment:home:shell`. */
const hasOthers = (passwd: string) =>
  [...passwd.matchAll(/^[^:\n]+:[^:]*:(\d{4,5}):.*:(?!.*(?:nologin|false)$)/gm)]
    .map(([, uid]) => Number(uid))
    .some((uid) => uid >= 1000 && uid < 60_000 && uid !== process.getuid?.());

/** Starts the engine in a process of its own, and again if that ends. Without a file, the data are in memory. */
export async function startEngine(database?: string, users = '/etc/passwd'): Promise<Engine> {
  const binary = findEngineBinary();
  if (database) overwriteDeleted(database);
  const host = loopbackAddress();
  let closing = false;
  let child: ChildProcess | undefined;
  const run = async (port: number) => {
    const options = ['--host', host, '--port', `${port}`, ...(database ? ['--db-path', database] : [])];
    child = await start([binary, ...options]);
    child.once('exit', (code, signal) => {
      if (closing) return;
      // Without a file, a restart with an empty engine would hide the loss of the data.
      say(
        `The DynamoDB engine ended (${signal ?? code})${database ? ' and restarts' : '; its data is lost'}.`,
      );
      if (database) run(port).catch((error: Error) => say(error.message));
    });
    return child;
  };
  const { port } = await onFreePort(run);
  if (existsSync(users) && hasOthers(readFileSync(users, 'utf8')))
    say('Other users of this machine can read and change all data: the DynamoDB engine has no credentials.');

  return {
    url: `http://${host}:${port}`,
    async close() {
      closing = true;
      if (child) await stop(child);
    },
  };
}

/** Larger files would delay the start. */
const MAX_OVERWRITTEN_BYTES = 256 * 1024 * 1024;

/**
 * Writes the file anew, without what was deleted from it, such as items of erased accounts: the engine leaves their bytes in
 * it. A file that cannot be written anew, as on a full disk, stays as it is.
 */
function overwriteDeleted(database: string): void {
  if (!existsSync(database) || statSync(database).size > MAX_OVERWRITTEN_BYTES) return;
  try {
    const file = new DatabaseSync(database, { timeout: STOPS_WITHIN_MS });
    try {
      file.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
    } finally {
      file.close();
    }
  } catch {
    // The engine reports a file that is damaged.
  }
}

/**
 * The engine answers every caller. A web page can try the 28,000 ports of 127.0.0.1, but not those of all 16 million
 * addresses of loopback, which Linux has. Programs of other users of the machine can find it there.
 */
const loopbackAddress = () =>
  process.platform === 'linux' ? `127.${randomInt(256)}.${randomInt(256)}.${randomInt(2, 255)}` : '127.0.0.1';

/** Runs the engine, which cannot pick a free port itself, on random ports below those of outgoing connections. */
export async function onFreePort(run: (port: number) => Promise<ChildProcess>) {
  for (let attempt = 1; ; attempt++) {
    const port = randomInt(10_000, 32_768);
    try {
      return { child: await run(port), port };
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

/**
 * The engine must not outlive the instance, even one that is killed: a shell reads the pipe from the instance,
 * and kills the engine once it is closed. No acknowledged write is lost: `npm run histories` kills it every 30 s.
 */
export const GUARD = 'exec 3<&0; (read _ <&3; kill -9 $$) 2>/dev/null & exec "$@" </dev/null 3<&-';

const HELP = '\nRestore the data directory from a copy, or start with another: npm start -- --data <dir>';

async function start(command: readonly string[]): Promise<ChildProcess> {
  // In a separate process group Ctrl-C does not end it, so that requests in flight can still be answered.
  const child = spawn('/bin/sh', ['-c', GUARD, 'engine', ...command], {
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
    // The rest of the environment may hold the administrator's password.
    env: { PATH: process.env['PATH'] },
  });
  child.once('exit', () => child.stdin?.end());
  const timer = setTimeout(() => child.kill('SIGKILL'), STARTS_WITHIN_MS);
  let said = '';
  try {
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', () =>
        reject(
          new Error(
            `The DynamoDB engine does not start.\n${said.trim()}${/database/i.test(said) ? HELP : ''}`,
          ),
        ),
      );
      child.stderr?.on('data', (text) => {
        said = (said + text).slice(-2000);
        if (said.includes('listening on')) resolve();
      });
    });
  } finally {
    clearTimeout(timer);
  }
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const timer = setTimeout(() => child.kill('SIGKILL'), STOPS_WITHIN_MS);
  const exit = once(child, 'exit');
  child.kill();
  await exit;
  clearTimeout(timer);
}

/** Finds the engine: the npm package of this platform, otherwise `dynoxide` on the PATH. */
function findEngineBinary(): string {
  const packaged = `@dynoxide/${process.platform}-${process.arch}`;
  const path = join(import.meta.dirname, '../../../node_modules', packaged, 'dynoxide');
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'dynoxide'));
  const found = [path, ...onPath].find(isExecutable);
  if (found) return found;
  if (existsSync(path))
    throw new Error(
      `The DynamoDB engine ${path} may not be executed.\nAllow it: chmod +x ${path}; or install the project where programs may be executed.`,
    );
  throw new Error(`This machine has no DynamoDB engine: neither the npm package ${packaged}, nor dynoxide on the PATH.
Install the package, where there is one: npm install --no-save ${packaged}
Or start DynamoDB Local, and name it in AWS_ENDPOINT_URL_DYNAMODB:
  docker run --rm -p 8000:8000 amazon/dynamodb-local
  AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8000 npm start`);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
