import type { Progress } from '#lib/table/bulk';

/** How often a terminal is told, and anything else, such as a log. */
const TERMINAL_MS = 200;
const LOG_MS = 10_000;

const number = (value: number) => Math.round(value).toLocaleString('en');

/** `26 s`, `14 min`, `2 h 5 min` */
function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `1,200 of 10,000 accounts, 340 a second, 26 s left` */
export function progressLine({ done, total }: Progress, things: string, elapsedMs: number): string {
  const rate = elapsedMs > 0 ? (done / elapsedMs) * 1000 : 0;
  const known = `${number(done)} of ${number(total)} ${things}`;
  return rate > 0 ? `${known}, ${number(rate)} a second, ${duration((total - done) / rate)} left` : known;
}

type Output = Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean };

/**
 * Shows how far work has come: on a terminal in one line that changes, elsewhere in a line every ten seconds.
 *
 * @returns what is to be told of every progress, and at the end
 */
export function showProgress(things: string, output: Output = process.stderr, now: () => number = Date.now) {
  const started = now();
  let shown = started;
  let isOpen = false;
  return {
    tell(progress: Progress): void {
      const at = now();
      if (at - shown < (output.isTTY ? TERMINAL_MS : LOG_MS)) return;
      shown = at;
      isOpen = output.isTTY === true;
      const line = progressLine(progress, things, at - started);
      // The rest of a longer line before it is erased.
      output.write(output.isTTY ? `\r${line}\x1b[K` : `${line}\n`);
    },
    end(): void {
      if (isOpen) output.write('\r\x1b[K');
      isOpen = false;
    },
  };
}
