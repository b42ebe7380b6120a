/** A program that has run to its end. */
export interface Program {
  readonly command: string;
  /** Null if a signal has ended it. */
  readonly status: number | null;
}

/** Status of a program that a signal has ended, in place of its own. */
const SIGNALLED = 128;

/**
 * The exit statuses of an operator command in all of its runs, ascending.
 *
 * @param audited the lines of the audit log, which also has the runs within tests. Their outcome `ok` is no status 0 of a
 *   command that has run as a program, too: it may exit with 1 all the same, as `restore check` does.
 */
export function exitStatusesOf(
  words: string,
  programs: readonly Program[],
  audited: readonly string[],
): readonly number[] {
  const call = new RegExp(`admin -- .*--stack \\S+ (--\\S+ )*${words}( |$)`);
  const own = programs.filter(({ command }) => call.test(command)).map(({ status }) => status ?? SIGNALLED);
  const outcomes = audited
    .filter((line) => line.includes(`"admin ${words}"`))
    .map((line) => (JSON.parse(line) as { outcome: string }).outcome);
  const failed = outcomes.some((outcome) => outcome !== 'ok' && outcome !== 'started');
  const succeeded = own.length === 0 && outcomes.includes('ok');
  const all = [...own, ...(failed ? [1] : []), ...(succeeded ? [0] : [])];
  return [...new Set(all)].sort((one, other) => one - other);
}
