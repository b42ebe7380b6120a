import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** An event that a subscriber is yet to receive. */
export interface Waiting {
  readonly id: number;
  /** The event as JSON: what is posted. */
  readonly event: string;
  /** How many attempts have failed. */
  readonly attempts: number;
  /** When the first attempt failed, in milliseconds since the epoch; null where none has. */
  readonly since: number | null;
  /** No attempt is made before; in milliseconds since the epoch. */
  readonly due: number;
  /** What came of the last attempt. */
  readonly error: string | null;
}

/** A replay, and how many of its events are yet to be received. */
export interface Replay {
  readonly name: string;
  /** In seconds since the epoch, as `StartReplay` has them. */
  readonly from: number;
  readonly to: number;
  readonly started: number;
  readonly left: number;
}

// A killed process loses nothing of it. After a loss of power it may be of a moment before: its place is earlier then,
// and what was received since is received again.
const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS place (only INTEGER PRIMARY KEY CHECK (only = 1), bytes INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS waiting (
    id INTEGER PRIMARY KEY, event TEXT NOT NULL, replay TEXT, due INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0, since INTEGER, error TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS waiting_due ON waiting (due, id);
  CREATE TABLE IF NOT EXISTS replays (
    name TEXT PRIMARY KEY, "from" REAL NOT NULL, "to" REAL NOT NULL, started REAL NOT NULL
  ) STRICT;`;

/** Whom events wait for, on the disk: every event before its place in the stream was received, given up, or waits. */
export function openDeliveryQueue(path: string) {
  const database = new DatabaseSync(path);
  database.exec(SCHEMA);
  const prepare = (sql: string) => database.prepare(sql);
  const insert = prepare('INSERT INTO waiting (event, replay, due) VALUES (?, ?, ?)');
  const move = prepare('INSERT OR REPLACE INTO place VALUES (1, ?)');
  const next = prepare('SELECT id, due FROM waiting ORDER BY due, id LIMIT ?');
  const read = prepare('SELECT * FROM waiting WHERE id = ?');
  const fail = prepare(
    'UPDATE waiting SET attempts = attempts + 1, since = coalesce(since, ?), due = ?, error = ? WHERE id = ?',
  );
  const remove = prepare('DELETE FROM waiting WHERE id = ?');

  const atOnce = (work: () => void) => {
    database.exec('BEGIN');
    try {
      work();
      database.exec('COMMIT');
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
  };

  return {
    /** How far in the stream it has come, in bytes; undefined where it is new. */
    place: () => prepare('SELECT bytes FROM place').get()?.['bytes'] as number | undefined,

    /** Adds events, and moves its place past them. */
    add(events: readonly string[], place: number, now: number): void {
      atOnce(() => {
        for (const event of events) insert.run(event, null, now);
        move.run(place);
      });
    },

    /** Adds the events of a replay. @returns false where there is one of this name */
    addReplay(replay: Omit<Replay, 'left'>, events: readonly string[], now: number): boolean {
      const { name, from, to, started } = replay;
      if (this.replay(name)) return false;
      atOnce(() => {
        prepare('INSERT INTO replays VALUES (?, ?, ?, ?)').run(name, from, to, started);
        for (const event of events) insert.run(event, name, now);
      });
      return true;
    },

    replay: (name: string) =>
      prepare(
        'SELECT *, (SELECT count(*) FROM waiting WHERE replay = name) AS "left" FROM replays WHERE name = ?',
      ).get(name) as Replay | undefined,

    /** The first so many that wait, by when they are due. */
    next: (limit: number) => next.all(limit) as unknown as Pick<Waiting, 'id' | 'due'>[],
    read: (id: number) => read.get(id) as Waiting | undefined,
    /** Notes a failed attempt. @param due when the next one is */
    fail: (id: number, now: number, due: number, error: string) => void fail.run(now, due, error, id),
    remove: (id: number) => void remove.run(id),
    /** From now on all are due. */
    makeAllDue: (now: number) => void prepare('UPDATE waiting SET due = min(due, ?)').run(now),
    size: () => prepare('SELECT count(*) AS size FROM waiting').get()?.['size'] as number,
    close: () => database.close(),
  };
}

export type DeliveryQueue = ReturnType<typeof openDeliveryQueue>;

/** What waits in the queue of an instance that may be running, oldest first; nothing where there is no queue. */
export function readDeliveryQueue(path: string): Waiting[] {
  if (!existsSync(path)) return [];
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database.prepare('SELECT * FROM waiting ORDER BY id').all() as unknown as Waiting[];
  } finally {
    database.close();
  }
}
