import cliProgress, { type Options, type Params } from 'cli-progress';

const { Format, SingleBar } = cliProgress;

/** `1,200` */
export const number = (value: number) => Math.round(value).toLocaleString('en');

/** `1 token`, `1,200 tokens` */
export const counted = (count: number, thing: string) => `${number(count)} ${thing}${count === 1 ? '' : 's'}`;

/** Interval of the lines where there is no terminal, as in a log. */
const LOG_MS = 10_000;

/** `1,200 of 10,000 accounts, 26s left`, after a bar on a terminal. */
const lineOf =
  (things: string, isTerminal: boolean) =>
  (options: Options, { value, total, progress, eta }: Params): string => {
    if (total === 0) return `${number(value)} ${things}`;
    const bar = isTerminal ? `[${Format.BarFormat(progress, options)}] ` : '';
    // The time is a text until it is known.
    const left = typeof eta === 'number' ? `, ${Format.TimeFormat(eta, options, 1).trim()} left` : '';
    return `${bar}${number(value)} of ${number(total)} ${things}${left}`;
  };

/** Shows progress on standard error: a bar on a terminal, otherwise a line every ten seconds. */
export function showProgress(things: string, stream: NodeJS.WriteStream = process.stderr) {
  const bar = new SingleBar({
    stream,
    format: lineOf(things, stream.isTTY),
    // The rate of so many updates.
    etaBuffer: 100,
    barsize: 30,
    barCompleteChar: '#',
    fps: 5,
    clearOnComplete: true,
    noTTYOutput: true,
    notTTYSchedule: LOG_MS,
  });
  bar.start(0, 0);
  return {
    tell({ done, total = 0 }: { readonly done: number; readonly total?: number }): void {
      bar.setTotal(total);
      bar.update(done);
    },
    say: (text: string) => void stream.write(stream.isTTY ? `\r\x1b[K${text}\n` : `${text}\n`),
    end: () => bar.stop(),
  };
}
