import { searchForms } from '../text/search-forms.ts';

/** Seasons by languages; their months and days are in Unicode's data. */
const SEASONS: Readonly<Record<string, string>> = {
  en: 'spring summer autumn fall winter',
  de: 'Frühling Frühjahr Sommer Herbst Winter',
  fr: 'printemps été automne hiver',
  es: 'primavera verano otoño invierno',
  it: 'primavera estate autunno inverno',
  pt: 'primavera verão outono inverno',
  nl: 'lente zomer herfst winter',
  sv: 'vår sommar höst vinter',
  da: 'forår sommer efterår vinter',
  nb: 'vår sommer høst vinter',
  fi: 'kevät kesä syksy talvi',
  pl: 'wiosna lato jesień zima',
  cs: 'jaro léto podzim zima',
  tr: 'ilkbahar yaz sonbahar kış',
  ru: 'весна лето осень зима',
};

/** A shorter name, such as that of a day in German, occurs by chance. */
const MIN_NAME = 3;

const FORMS = [
  ...[{ month: 'long' }, { weekday: 'long' }],
  ...[{ month: 'short' }, { weekday: 'short' }],
] as const satisfies readonly Intl.DateTimeFormatOptions[];

/** Names of seasons, and names and abbreviations of months and days of the week, in lower case, with and without diacritics. */
export function calendarWords(): string[] {
  // Has each month, and each day of the week.
  const days = Array.from({ length: 12 }, (_, n) => Date.UTC(2024, n, 1 + n)).concat(
    Array.from({ length: 7 }, (_, n) => Date.UTC(2024, 0, 1 + n)),
  );
  const names = Object.keys(SEASONS).flatMap((language) =>
    FORMS.flatMap((form) => {
      const { format } = new Intl.DateTimeFormat(language, { ...form, timeZone: 'UTC' });
      return days.map(format);
    }),
  );
  const seasons = Object.values(SEASONS).flatMap((some) => some.split(' '));
  const all = [...seasons, ...names.map((name) => name.replace(/\.$/, ''))]
    .filter(({ length }) => length >= MIN_NAME)
    .flatMap((name) => [name, ...searchForms(name)]);
  return [...new Set(all.map((name) => name.toLowerCase()))];
}
