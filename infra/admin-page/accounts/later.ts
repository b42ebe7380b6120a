import { signal } from '@preact/signals';
import { DAY_MS } from '#lib/time';

/** Days for which a person puts a matter off. */
export const LATER_DAYS = 30;

/** Name in the store of the browser. */
const STORED = 'later';

type Ends = Readonly<Record<string, number>>;

/** A number that stands for a text: the store of the browser has no names. */
function digest(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return (2 ** 32 * (high & 0x1f_ffff) + (low >>> 0)).toString(36);
}

/** What the store has of a matter: its kind, and a number for what it is about. */
export const keyOf = (kind: string, about: string) => `${kind}:${digest(about)}`;

/** What has not ended yet; nothing of a store that the browser refuses or that has something else. */
function read(): Ends {
  try {
    const stored: object = JSON.parse(localStorage[STORED] ?? '{}');
    const ends = Object.entries(stored).filter((entry): entry is [string, number] => entry[1] > Date.now());
    return Object.fromEntries(ends);
  } catch {
    return {};
  }
}

/** When the matters that were put off come back, by their keys, in milliseconds since the epoch. */
export const later = signal<Ends>(read());

function keep(ends: Ends) {
  later.value = ends;
  try {
    localStorage[STORED] = JSON.stringify(ends);
  } catch {
    // Until the page is loaded again.
  }
}

/** Puts matters off, in this browser. */
export const putOff = (keys: readonly string[]) =>
  keep({
    ...read(),
    ...Object.fromEntries(keys.map((key) => [key, Date.now() + LATER_DAYS * DAY_MS])),
  });

/** Takes back that a matter was put off. */
export const takeBack = (key: string) =>
  keep(Object.fromEntries(Object.entries(read()).filter(([each]) => each !== key)));
