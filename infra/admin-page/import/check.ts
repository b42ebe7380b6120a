import { foldCase } from '#lib/text/fold-case';
import { client } from '../session.ts';
import { checkLines, readLines } from './file.ts';
import type { Line } from './line.ts';

/** A file that a person has chosen. */
export interface Checked {
  readonly name: string;
  /** Begins the keys of its lines. */
  readonly hash: string;
  readonly lines: readonly Line[];
}

/** Checks a file as far as that needs no account; the service reports accounts that exist. */
export async function checkFile(file: File): Promise<Checked> {
  // The keys encrypt one-time codes in the table. A file can be guessed, this browser's part of its keys cannot.
  localStorage['import'] ??= crypto.randomUUID();
  const keyed = new Blob([localStorage['import'], file]);
  const digest = await crypto.subtle.digest('SHA-256', await keyed.arrayBuffer());
  const teams = new Set<string>();
  for await (const { team_short } of client.team.browse({ limit: 1000 })) teams.add(foldCase(team_short));
  const lines = await checkLines(readLines(file.name, new Uint8Array(await file.arrayBuffer())), teams);
  return { name: file.name, hash: new Uint32Array(digest).join('-'), lines };
}
