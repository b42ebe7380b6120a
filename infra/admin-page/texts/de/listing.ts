import type * as en from '../en/listing.ts';

export const listing: typeof en.listing = {
  loading: 'Wird geladen …',
  actions: 'Aktionen',
  noneSoFar: 'Bisher kein Treffer. Weiter mit der nächsten Seite.',
  rows: (first, last) => `${first} bis ${last}`,
  rowsOf: (first, last, total) => `${first} bis ${last} von ${total}`,
  pagesOf: (caption) => `Seiten: ${caption}`,
  firstPage: 'Erste Seite',
  previousPage: 'Vorherige Seite',
  nextPage: 'Nächste Seite',
  filters: 'Filter',
  moreFilters: 'Weitere Filter',
  tooLate: 'Nicht angewendet: Das Datum liegt nach heute.',
  daysAgo: 'Tage zurück',
  nDaysAgo: (days) => `Vor ${days} Tagen`,
  remove: (what) => `${what} entfernen`,
  download: 'Herunterladen',
  format: 'Format',
  formats: {
    semicolon: 'CSV mit Semikolon',
    comma: 'CSV mit Komma',
    tab: 'CSV mit Tabulator',
    xlsx: 'Excel-Arbeitsmappe (.xlsx)',
  },
  lines: (count, text) => `${text} ${count === 1 ? 'Zeile' : 'Zeilen'}`,
  nothing: 'Die Liste ist leer: Es gibt nichts zu speichern.',
};
