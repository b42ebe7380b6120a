/** Seconds of each unit, the longest first. */
const UNITS = { year: 31_557_600, month: 2_629_800, day: 86_400, hour: 3_600, minute: 60 };

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
// A format for each time would take most of the time of a listing.
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });

/** `Thursday, 26 November 2026 at 08:00:00 UTC` */
export const exactly = (time: Date) => exact.format(time);

function distance(seconds: number): string {
  const [unit, size = 1] = Object.entries(UNITS).find(([, length]) => Math.abs(seconds) >= length) ?? [];
  return unit ? relative.format(Math.round(seconds / size), unit as keyof typeof UNITS) : 'just now';
}

const DAY_MS = 86_400_000;
const clock = { hour: '2-digit', minute: '2-digit' } as const;
const NEARBY = new Intl.DateTimeFormat('en-GB', { weekday: 'long', ...clock });
const DISTANT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  ...clock,
});
const CLOCK = new Intl.DateTimeFormat('en-GB', clock);

interface WhenProps {
  readonly of: string;
  /** Whether its day is known. */
  readonly isClock?: boolean;
}

/** A time as a date, or as a weekday within the next six days, with the exact one on hover. */
export function When({ of, isClock }: WhenProps) {
  const time = new Date(of);
  const ahead = time.getTime() - Date.now();
  if (Number.isNaN(ahead)) return <bdi>{of}</bdi>;
  const format = isClock ? CLOCK : ahead > 0 && ahead < 6 * DAY_MS ? NEARBY : DISTANT;
  return (
    <time dateTime={time.toISOString()} title={exactly(time)}>
      {format.format(time)}
    </time>
  );
}

/** A time, relative to now, with the exact one on hover; without a zone it is in UTC. */
export function Time({ of }: { readonly of: string | null | undefined }) {
  if (!of) return <span class="faint">never</span>;
  const time = new Date(/(Z|[+-]\d\d:\d\d)$/.test(of) ? of : `${of}Z`);
  if (time.getUTCFullYear() === 9999) return <span>no end</span>;
  return (
    <time dateTime={time.toISOString()} title={exactly(time)}>
      {distance((time.getTime() - Date.now()) / 1000)}
    </time>
  );
}

/** A local time of a field in UTC, that of a date at its midnight; other texts stay, for the service to refuse. */
export function instant(text = '') {
  const time = new Date(text.includes('T') ? text : `${text}T00:00`);
  return Number.isNaN(time.getTime()) ? text : time.toISOString();
}
