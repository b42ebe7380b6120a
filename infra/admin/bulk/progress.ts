import { number } from '../terminal/counted.ts';

/** How often a terminal is told, and anything else, such as a log. */
const TERMINAL_MS = 200;
const LOG_MS = 10_000;

/** The rate is that of the last so many milliseconds: it follows what throttles, and not each batch of passwords. */
const WINDOW_MS = 60_000;

/** Of how many places the bar is made; with less than the second there is none. */
const MAX_BAR = 30;
const MIN_BAR = 8;

/** How far work has come; of how many things in all, where that is known. */
export interface Reached {
  readonly done: number;
  readonly total?: number;
}

/** `26 s`, `14 min`, `2 h 5 min` */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/**
 * `1,200 of 10,000 accounts`, `340 a second`, `26 s left`
 *
 * @param rate things a second; zero where it is not known yet
 */
export function progressParts({ done, total }: Reached, things: string, rate: number): string[] {
  const known = total === undefined ? number(done) : `${number(done)} of ${number(total)}`;
  return [
    `${known} ${things}`,
    ...(rate > 0 ? [rate < 1 ? `${number(rate * 60)} a minute` : `${number(rate)} a second`] : []),
    ...(rate > 0 && total !== undefined ? [`${duration((total - done) / rate)} left`] : []),
  ];
}

/**
 * `[######------]  50%  1,200 of 2,400 accounts, 340 a second, 4 s left`, or what of it fits: the bar goes first, then
 * the rate, then the time.
 *
 * @param columns of the terminal; the last one stays free, since a full line may wrap
 */
export function barLine({ done, total }: Reached, parts: readonly string[], columns: number): string {
  const width = columns - 1;
  const [known, rate, left] = parts;
  const texts = [parts, [known, left ?? rate], [known]].map((some) => some.filter(Boolean).join(', '));
  const text = texts.find((each) => each.length <= width) ?? (known as string).slice(0, width);
  const places = Math.min(MAX_BAR, width - text.length - '[]  50%  '.length);
  if (!total || places < MIN_BAR) return text;
  const full = Math.floor((done / total) * places);
  const percent = `${Math.floor((done / total) * 100)}%`.padStart(4);
  return `[${'#'.repeat(full)}${'-'.repeat(places - full)}] ${percent}  ${text}`;
}

type Output = Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean; readonly columns?: number };

const ERASE = '\r\x1b[K';

/**
 * Shows how far work has come: on a terminal a bar that is drawn anew in its place, elsewhere a line every ten seconds.
 * It has no colours, and a terminal that cannot erase (`TERM=dumb`) is told as anything else is.
 *
 * @returns what is to be told of every progress, what is to be said meanwhile, and what to do at the end
 */
export function showProgress(things: string, output: Output = process.stderr, now: () => number = Date.now) {
  const isBar = output.isTTY === true && process.env['TERM'] !== 'dumb';
  let shown = now();
  let marks = [{ at: shown, done: 0 }];
  let isOpen = false;
  const erase = () => {
    if (isOpen) output.write(ERASE);
    isOpen = false;
  };
  const rateAt = (at: number, done: number) => {
    while (marks[1] && marks[1].at <= at - WINDOW_MS) marks = marks.slice(1);
    const [since] = marks as [{ at: number; done: number }];
    marks.push({ at, done });
    return at > since.at ? ((done - since.done) / (at - since.at)) * 1000 : 0;
  };
  return {
    tell(reached: Reached): void {
      const at = now();
      if (at - shown < (isBar ? TERMINAL_MS : LOG_MS)) return;
      shown = at;
      const parts = progressParts(reached, things, rateAt(at, reached.done));
      // The rest of a longer line before it is erased.
      if (isBar) output.write(`\r${barLine(reached, parts, output.columns ?? 80)}\x1b[K`);
      else output.write(`${parts.join(', ')}\n`);
      isOpen = isBar;
    },
    say(text: string): void {
      erase();
      output.write(`${text}\n`);
    },
    end: erase,
  };
}
