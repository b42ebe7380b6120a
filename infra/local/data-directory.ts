import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AUDIT_FILE, EVENTS_FILE, QUEUE_FILE, SECRET_FILE } from './machine/resource-names.ts';

/** What an instance keeps, and where. */
export interface DataDirectory {
  readonly path: string;
  readonly database: string;
  readonly secrets: string;
  readonly events: string;
  /** What waits for the subscriber of events, what was given up, and the secret that signs the posts. */
  readonly queue: string;
  readonly deadLetters: string;
  readonly subscriberSecret: string;
  readonly log: string;
  readonly audit: string;
  /** How the running instance is reached, and its credentials. */
  readonly instance: string;
  /** How far the first start has come. */
  readonly firstStart: string;
  close(): void;
}

/** An instance before this one may just be ending. */
const FREE_WITHIN_MS = 2000;

/**
 * Opens a data directory, which belongs to one instance at a time. The lock is one of SQLite: the operating
 * system releases it with the process, however that ends.
 *
 * @throws Error where another instance has it open
 */
export function openDataDirectory(name: string): DataDirectory {
  const path = resolve(name);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const instance = join(path, 'instance.json');
  const lock = new DatabaseSync(join(path, 'lock'), { timeout: FREE_WITHIN_MS });
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch {
    lock.close();
    throw new Error(`The data directory ${path} is in use by another instance${urlIn(instance)}.`);
  }
  rmSync(instance, { force: true });

  return {
    path,
    database: join(path, 'dynamodb.sqlite'),
    secrets: join(path, 'secrets.json'),
    events: join(path, EVENTS_FILE),
    queue: join(path, QUEUE_FILE),
    deadLetters: join(path, 'dead-letters.jsonl'),
    subscriberSecret: join(path, SECRET_FILE),
    log: join(path, 'functions.log'),
    audit: join(path, AUDIT_FILE),
    instance,
    firstStart: join(path, 'first-start.json'),
    close() {
      rmSync(instance, { force: true });
      lock.close();
    },
  };
}

function urlIn(instance: string): string {
  try {
    const { url } = JSON.parse(readFileSync(instance, 'utf8')) as { url?: string };
    return url ? ` at ${url}` : '';
  } catch {
    return '';
  }
}
