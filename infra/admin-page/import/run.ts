import { signal } from '@preact/signals';
import { inParallel } from '#lib/async/in-parallel';
import { type Account, type Client, CoreAccountError } from '#lib/client/index';
import { foldCase } from '#lib/text/fold-case';
import { ongoing as t } from '#texts/ongoing';
import { textOf } from '../failed.tsx';
import { patient } from '../patience.ts';
import { AT_ONCE, onceClient } from '../session.ts';
import type { Checked } from './check.ts';
import { choose } from './chosen.ts';
import { existingIn } from './existing.ts';
import { isRepeatable, noteImport } from './former.ts';
import { hasFaults, type Line } from './line.ts';

type Created = Awaited<ReturnType<Client['account']['create']>>;

/** What the service answered for a line. */
export interface Result {
  readonly outcome: 'created' | 'existed' | 'refused';
  /** One-time code, which only this answer contains. */
  readonly code?: string | undefined;
  readonly ends?: string | undefined;
  /** When the account was created, if an earlier import of the same file did it. */
  readonly since?: string | undefined;
  /** Why it was refused. */
  readonly errors?: Line['errors'];
}

/** An import from its start until a person closes it. */
export interface Run extends Checked {
  /** Lifetime of the one-time codes; undefined without codes. */
  readonly hours: number | undefined;
  /** The operation that its entries of the audit belong to. */
  readonly batch: string;
  /** The lines that are sent, in this order. */
  readonly right: readonly Line[];
  /** Answers by the numbers of the lines. */
  readonly results: ReadonlyMap<number, Result>;
  readonly state: 'running' | 'stopping' | 'stopped' | 'done';
  /** When it goes on, while the service asks to wait or does not answer. */
  readonly waiting?: Date | undefined;
  /** Why it stopped by itself. */
  readonly error?: unknown;
  /** Whether a person has the codes. */
  readonly isSaved: boolean;
}

/** The import of the page. It outlasts its screen: the codes are nowhere else. */
export const importing = signal<Run>();

const change = (next: Partial<Run>) => {
  if (importing.value) importing.value = { ...importing.value, ...next };
};

/** Without an answer the outcome is unknown; the key of the line makes another attempt safe. */
const BUSY = [0, 429, 502, 503, 504];

/** Whether the refusal is about the content of the line, not about the person who imports or the connection. */
const isOfLine = ({ code, status }: CoreAccountError) =>
  code !== 'unexpected_answer' && ![401, 403].includes(status);

function refusedBy(error: CoreAccountError): Result {
  if (error.code === 'account_exists') return { outcome: 'existed' };
  const errors = error.errors.length > 0 ? error.errors : [{ field: '', message: textOf(error) }];
  return { outcome: 'refused', errors };
}

/** The answer to a line, which may repeat an earlier one: its code may have been used or ended since. */
function createdBy({ code, code_expires_at }: Created, earlier: Account | undefined): Result {
  const isOpen = !earlier || (!earlier.password_set && earlier.code_expires_at === code_expires_at);
  return {
    outcome: 'created',
    since: earlier?.created_at,
    ...(isOpen && { code, ends: code_expires_at ?? undefined }),
  };
}

/** For lines that were not sent when a person stopped. */
const UNSENT = Symbol();

let stopping = new AbortController();

/** Sends all lines without an answer, some at a time, until all are answered or it is stopped. */
async function run({ hash, hours, right, batch, results: earlier, existing }: Run) {
  const { signal: stopped } = stopping;
  const results = new Map(earlier);
  const patiently = patient({
    after: BUSY,
    signal: stopped,
    unsent: UNSENT,
    tell: (waiting) => {
      if (importing.value?.waiting !== waiting && !stopped.aborted) change({ waiting });
    },
  });
  const send = async ({ line, value }: Line) => {
    const body = hours ? { ...value, invite_hours: hours } : value;
    const idempotencyKey = `${hash}-${line}-${hours ?? ''}`;
    const options = { idempotencyKey, batch: { id: batch, size: right.length } };
    const answer = await patiently(() => onceClient.account.create(body, options)).then(
      (created) => createdBy(created, existing.get(foldCase(value.username))),
      (error) => {
        if (error === UNSENT) return;
        if (!(error instanceof CoreAccountError && isOfLine(error))) throw error;
        return refusedBy(error);
      },
    );
    if (!answer) return;
    results.set(line, answer);
    // The same map: copies of large ones take longer than the requests.
    change({ results });
  };
  const rest = right.filter(({ line }) => !results.has(line));
  const error = await inParallel(rest, send, AT_ONCE).then(
    () => undefined,
    (reason) => reason,
  );
  change({ error, waiting: undefined, state: results.size < right.length ? 'stopped' : 'done' });
}

/** Goes on with the first line without an answer. */
export function resume() {
  const now = importing.value;
  if (now?.state !== 'stopped') return;
  stopping = new AbortController();
  importing.value = { ...now, state: 'running', error: undefined, isSaved: false };
  run(importing.value);
}

/** What this browser began with a file, if it has created people and the service repeats its answers. */
export const openFormer = ({ former, existing }: Checked) =>
  former && existing.size > 0 && isRepeatable(former) ? former : undefined;

/** The lines of a file that an import sends: of people who exist only where the service repeats its answers. */
export const sendable = (file: Checked) =>
  file.lines.filter((line) => !hasFaults(line) && (openFormer(file) || !existingIn(file, line)));

/** Starts an import unless one is open; the same file continues its operation. */
export function begin(file: Checked, hours: number | undefined) {
  if (importing.value) return;
  const { at, batch } = openFormer(file) ?? { at: new Date().toISOString(), batch: crypto.randomUUID() };
  noteImport(file.hash, { at, hours, batch });
  const start = { results: new Map(), state: 'stopped', isSaved: false } as const;
  importing.value = { ...file, hours, batch, right: sendable(file), ...start };
  choose(undefined);
  resume();
}

/** Sends no more lines; the answers of those that were sent are awaited. */
export function stop() {
  stopping.abort();
  change({ state: 'stopping', waiting: undefined });
}

/** Notes that a person has the codes. */
export const keep = () => change({ isSaved: true });

/** Forgets the import with its codes. */
export function dismiss() {
  importing.value = undefined;
}

export const isRunning = ({ state }: Run) => state === 'running' || state === 'stopping';

export const hasCodes = ({ results }: Run) => [...results.values()].some(({ code }) => code);

/** How far it is: “120 of 195”. */
export const progressOf = ({ results, right }: Run) => t.progress(results.size, right.length);
