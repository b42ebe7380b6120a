import cliProgress, { type Options, type Params } from 'cli-progress';

/** `1,200` */
export const number = (value: number) => Math.round(value).toLocaleString('en');

/** `1 token`, `1,200 tokens` */
export const counted = (count: number, thing: string) => `${number(count)} ${thing}${count === 1 ? '' : 's'}`;

/** Interval of the lines where there is no terminal, as in a log. */
const LOG_MS = 10_000;

/** `26 s`, `14 min`, `2 h 5 min` */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `1,200 of 10,000 accounts, 340 a second, 26 s left`, after a bar on a terminal; the rate is the average. */
export function progressLine(
  options: Options,
  { value, total, progress, startTime }: Pick<Params, 'value' | 'total' | 'progress' | 'startTime'>,
  { things, bar }: { things: string; bar: boolean },
  now = Date.now(),
): string {
  const rate = (value / (now - startTime)) * 1000;
  const isKnown = Number.isFinite(rate) && rate > 0;
  const parts = [
    total > 0 ? `${number(value)} of ${number(total)} ${things}` : `${number(value)} ${things}`,
    ...(isKnown ? [`${number(rate)} a second`] : []),
    ...(isKnown && total > 0 ? [`${duration((total - value) / rate)} left`] : []),
  ];
  const drawn = bar && total > 0 ? `[${cliProgress.Format.BarFormat(progress, options)}] ` : '';
  return drawn + parts.join(', ');
}

/** Shows progress on standard error: a bar on a terminal, otherwise a line every ten seconds. */
export function showProgress(things: string, stream: NodeJS.WriteStream = process.stderr) {
  const bar = new cliProgress.SingleBar({
    stream,
    format: (options, params) => progressLine(options, params, { things, bar: stream.isTTY }),
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
