import { locale } from '#texts/locale';
import type { Said } from './said.ts';

const numbers = new Intl.NumberFormat(locale.general);

/** A number as the language writes it: `1,234`. */
export const number = (value: number) => numbers.format(value);

const collator = new Intl.Collator(locale.general, { numeric: true });

/** Compares texts for a list that people read. */
export const compare = (one: string, other: string) => collator.compare(one, other);

const lists = new Intl.ListFormat(locale.dates);

/** Texts as the language lists them: `a, b and c`. */
export const listOf = (texts: Iterable<string>) => lists.format(texts);

/** Elements as the language lists them, such as names in `<bdi>`. */
export const listed = (items: readonly Said[]): Said =>
  lists
    .formatToParts(items.map((_, index) => `${index}`))
    .map(({ type, value }) => (type === 'element' ? items[Number(value)] : value));

/** A format of dates and times in the language, by the clock of the browser. */
export const dateFormat = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale.dates, options);
