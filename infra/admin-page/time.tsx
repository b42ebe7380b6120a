import { locale } from '#texts/locale';
import { time as t } from '#texts/time';
import { dateFormat } from './locale.ts';

/** Seconds of each unit, the longest first. */
const UNITS = { year: 31_557_600, month: 2_629_800, day: 86_400, hour: 3_600, minute: 60 };

const relative = new Intl.RelativeTimeFormat(locale.general, { numeric: 'always' });
// A format for each time would take most of the time of a listing.
const exact = dateFormat({ dateStyle: 'full', timeStyle: 'long' });
const short = dateFormat({ dateStyle: 'medium', timeStyle: 'long' });

/** `Thursday, 26 November 2026 at 08:00:00 UTC` */
export const exactly = (time: Date) => exact.format(time);

/** Attributes of a `<time>`: the exact time on hover, and a shorter form of it that replaces the text in print. */
const attributesOf = (time: Date) => ({
  dateTime: time.toISOString(),
  title: exactly(time),
  'data-exact': short.format(time),
});

function distance(seconds: number): string {
  const [unit, size = 1] = Object.entries(UNITS).find(([, length]) => Math.abs(seconds) >= length) ?? [];
  return unit ? relative.format(Math.round(seconds / size), unit as keyof typeof UNITS) : t.justNow;
}

const CLOCK = dateFormat({ timeStyle: 'short' });
const WEEKDAY = dateFormat({ weekday: 'long' });
const DATE = dateFormat({ dateStyle: 'long' });

/** The day of a time as people say it: within the next six days by its name. */
function dayOf(time: Date): string {
  const now = new Date();
  const midnight = (of: Date, later = 0) =>
    new Date(of.getFullYear(), of.getMonth(), of.getDate() + later).getTime();
  const ahead = [0, 1, 2, 3, 4, 5, 6].findIndex((days) => midnight(now, days) === midnight(time));
  return [t.today, t.tomorrow][ahead] ?? (ahead < 0 ? DATE : WEEKDAY).format(time);
}

/** The value of a field for a date or a local time as people say it: “6 March 2026 08:00”. */
export function asSaid(text: string) {
  const time = new Date(text.includes('T') ? text : `${text}T00:00`);
  if (Number.isNaN(time.getTime())) return text;
  const day = DATE.format(time);
  return text.includes('T') ? t.at(day, CLOCK.format(time)) : day;
}

interface WhenProps {
  readonly of: string;
  /** Whether its day is known. */
  readonly isClock?: boolean;
}

/** A local time as people say it, “Monday 08:00”, with the exact one on hover. */
export function When({ of, isClock }: WhenProps) {
  const time = new Date(of);
  if (Number.isNaN(time.getTime())) return <bdi>{of}</bdi>;
  return (
    <time {...attributesOf(time)}>
      {isClock ? CLOCK.format(time) : t.at(dayOf(time), CLOCK.format(time))}
    </time>
  );
}

/** A time, relative to now, with the exact one on hover; without a zone it is in UTC. */
export function Time({ of }: { readonly of: string | null | undefined }) {
  if (!of) return <span class="faint">{t.never}</span>;
  const time = new Date(/(Z|[+-]\d\d:\d\d)$/.test(of) ? of : `${of}Z`);
  if (time.getUTCFullYear() === 9999) return <span>{t.noEnd}</span>;
  return <time {...attributesOf(time)}>{distance((time.getTime() - Date.now()) / 1000)}</time>;
}

/** The value of a field for the local date some days ago. */
export function dateAgo(days = 0) {
  const date = new Date();
  date.setDate(date.getDate() - days);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => `${part}`.padStart(2, '0'))
    .join('-');
}

/** A local time of a field in UTC, that of a date at its midnight; other texts stay, for the service to refuse. */
export function instant(text = '') {
  const time = new Date(text.includes('T') ? text : `${text}T00:00`);
  return Number.isNaN(time.getTime()) ? text : time.toISOString();
}
