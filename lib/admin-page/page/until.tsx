import { exactly } from './time.tsx';

const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' });
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });

/** The day of a time as people say it: within six days by its name. */
function dayOf(time: Date): string {
  const midnight = (of: Date, later = 0) =>
    new Date(of.getFullYear(), of.getMonth(), of.getDate() + later).getTime();
  const ahead = [0, 1, 2, 3, 4, 5, 6].findIndex((days) => midnight(new Date(), days) === midnight(time));
  return ['today', 'tomorrow'][ahead] ?? (ahead < 0 ? day : weekday).format(time);
}

/** The end of something in local time: “until Monday 08:00”. */
export function Until({ of }: { readonly of: string | null | undefined }) {
  const time = new Date(of ?? Number.NaN);
  if (Number.isNaN(time.getTime())) return null;
  return (
    <>
      until{' '}
      <time dateTime={time.toISOString()} title={exactly(time)}>
        {dayOf(time)} {clock.format(time)}
      </time>
    </>
  );
}
