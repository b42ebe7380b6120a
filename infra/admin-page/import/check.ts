import { inParallel } from '#lib/async/in-parallel';
import type { Account } from '#lib/client/index';
import { foldCase } from '#lib/text/fold-case';
import { AT_ONCE, client } from '../session.ts';
import { checkLines, readLines } from './file.ts';
import { type Former, formerImport } from './former.ts';
import { hasFaults, type Line } from './line.ts';

/** A file that a person has chosen. */
export interface Checked {
  readonly name: string;
  /** Begins the keys of its lines. */
  readonly hash: string;
  readonly lines: readonly Line[];
  /** Whether its encoding is a guess. */
  readonly isGuess: boolean;
  /** The accounts that exist by now, by their usernames in lower case. */
  readonly existing: ReadonlyMap<string, Account>;
  /** What this browser did with the same file. */
  readonly former: Former | undefined;
}

/** Checks a file, also for people who exist. */
export async function checkFile(file: File): Promise<Checked> {
  // The keys encrypt one-time codes in the table. A file can be guessed, this browser's part of its keys cannot.
  localStorage['import'] ??= crypto.randomUUID();
  const keyed = new Blob([localStorage['import'], file]);
  const digest = await crypto.subtle.digest('SHA-256', await keyed.arrayBuffer());
  const hash = new Uint32Array(digest).join('-');
  const teams = new Set<string>();
  for await (const { team_short } of client.team.browse({ limit: PAGE })) teams.add(foldCase(team_short));
  let isGuess = false;
  const read = readLines(file.name, new Uint8Array(await file.arrayBuffer()), () => {
    isGuess = true;
  });
  const lines = await checkLines(read, teams);
  const existing = await existingOf(lines.filter((line) => !hasFaults(line) || line.missing));
  return { name: file.name, hash, lines, isGuess, existing, former: formerImport(hash) };
}

/** Accounts in an answer, at most. */
const PAGE = 1000;

/** The accounts that lines would create once more, from as few requests as that takes. */
async function existingOf(lines: readonly Line[]): Promise<ReadonlyMap<string, Account>> {
  const found = new Map<string, Account>();
  const names = new Set(lines.map(({ value }) => foldCase(value.username)));
  const note = (account: Account | undefined) => {
    const name = foldCase(account?.username ?? '');
    if (account && names.has(name)) found.set(name, account);
  };
  if (names.size === 0) return found;
  const pages = client.account.browse({ limit: PAGE }).pages();
  const { value: first } = await pages.next();
  first?.items.forEach(note);
  if (names.size >= (first?.stats.count ?? 0) / PAGE)
    for await (const { items } of pages) items.forEach(note);
  else
    await inParallel(
      [...names],
      async (username) => {
        for await (const account of client.account.browse({ username })) note(account);
      },
      AT_ONCE,
    );
  return found;
}
