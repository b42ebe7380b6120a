import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { writeFault } from '#infra/write-fault';
import {
  AUDIT_FILE,
  EVENTS_FILE,
  FORMER_AUDIT_FILE,
  FUNCTION_LOG_FILE,
  OPERATORS_FILE,
} from './machine/resource-names.ts';

/** A previous instance may still be stopping. */
const FREE_WITHIN_MS = 2000;

/** A first start writes less. */
const MIN_FREE_BYTES = 4_000_000;

const SQLITE_BUSY = 5;

/**
 * Opens a data directory, which belongs to one instance at a time. SQLite locks it: the operating system releases the lock
 * with the process, however that ends.
 */
export function openDataDirectory(name: string) {
  const path = resolve(name);
  const made = firstMissing(path);
  makeWritable(path);
  const instance = join(path, 'instance.json');
  const lock = new DatabaseSync(join(path, 'lock'), { timeout: FREE_WITHIN_MS });
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    const { errcode, message } = error as Error & { errcode?: number };
    throw new Error(
      errcode === SQLITE_BUSY
        ? `The data directory ${path} is in use by another instance${urlIn(instance)}.\nStop that one, or give this one its own: npm start -- --port 0 --data <dir>`
        : `The data directory ${path} cannot be locked: ${message}.\nDelete ${join(path, 'lock')}, which holds no data, and start again.`,
    );
  }
  rmSync(instance, { force: true });

  return {
    path,
    database: join(path, 'dynamodb.sqlite'),
    secrets: join(path, 'secrets.json'),
    events: join(path, EVENTS_FILE),
    log: join(path, FUNCTION_LOG_FILE),
    audit: join(path, AUDIT_FILE),
    formerAudit: join(path, FORMER_AUDIT_FILE),
    auditPosition: join(path, 'verified.position'),
    operators: join(path, OPERATORS_FILE),
    operatorsPosition: join(path, 'operators.position'),
    instance,
    firstStart: join(path, 'first-start.json'),
    /** A start that was refused leaves none of the folders that it has made. */
    close() {
      const wasReady = existsSync(instance);
      rmSync(instance, { force: true });
      lock.close();
      if (made !== undefined && !wasReady) rmSync(made, { recursive: true, force: true });
    },
  };
}

function makeWritable(path: string): void {
  try {
    makeFolder(path);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(path);
    if (bavail * bsize < MIN_FREE_BYTES) throw Object.assign(new Error(), { code: 'ENOSPC' });
  } catch (error) {
    throw writeFault(error, `The data directory ${path}`, 'Name another: npm start -- --data <dir>');
  }
}

/** The highest folder of a path that does not exist; undefined if the path does. */
function firstMissing(path: string): string | undefined {
  if (existsSync(path)) return undefined;
  return firstMissing(dirname(path)) ?? path;
}

/** In /proc, which creates no folders, Node's own recursion does not end. */
function makeFolder(path: string): void {
  const parent = dirname(path);
  if (!existsSync(parent)) makeFolder(parent);
  mkdirSync(path, { recursive: existsSync(path), mode: 0o700 });
}

function urlIn(instance: string): string {
  try {
    const { url } = JSON.parse(readFileSync(instance, 'utf8')) as { url?: string };
    return url ? ` at ${url}` : '';
  } catch {
    return '';
  }
}
