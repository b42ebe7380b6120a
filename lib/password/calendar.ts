import { searchForms } from '../text/search-forms.ts';

const LANGUAGES = ['en', 'de', 'fr'];
const SEASONS = [
  ...['spring', 'summer', 'autumn', 'fall', 'winter'],
  ...['Frühling', 'Frühjahr', 'Sommer', 'Herbst', 'Winter'],
  ...['printemps', 'été', 'automne', 'hiver'],
];

/** Names of seasons, months and days of the week, in lower case, with and without diacritics. */
export function calendarWords(): string[] {
  const inYear = Array.from({ length: 12 }, (_, month) => Date.UTC(2024, month, 1 + (month % 7)));
  const names = LANGUAGES.flatMap((language) =>
    ([{ month: 'long' }, { weekday: 'long' }] as const).flatMap((form) => {
      const { format } = new Intl.DateTimeFormat(language, { ...form, timeZone: 'UTC' });
      return inYear.map(format);
    }),
  );
  const all = [...SEASONS, ...names].flatMap((name) => [name, ...searchForms(name)]);
  return [...new Set(all.map((name) => name.toLowerCase()))];
}
