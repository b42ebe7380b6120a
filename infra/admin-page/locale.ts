import { locale } from '#texts/locale';

const numbers = new Intl.NumberFormat(locale.general);

/** A number as the language writes it: `1,234`. */
export const number = (value: number) => numbers.format(value);

const collator = new Intl.Collator(locale.general, { numeric: true });

/** Compares texts for a list that people read. */
export const compare = (one: string, other: string) => collator.compare(one, other);
