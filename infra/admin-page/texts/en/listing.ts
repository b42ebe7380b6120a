/** Lists, their filters, pages and files. */
export const listing = {
  loading: 'Loading…',
  actions: 'Actions',
  noneSoFar: 'No match so far. Continue with the next page.',
  rows: (first: string, last: string) => `${first} to ${last}`,
  rowsOf: (first: string, last: string, total: string) => `${first} to ${last} of ${total}`,
  pagesOf: (caption: string) => `Pages of ${caption}`,
  firstPage: 'First page',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  filters: 'Filters',
  moreFilters: 'More filters',
  tooLate: 'Not used: it is later than today.',
  daysAgo: 'days ago',
  nDaysAgo: (days: number) => `${days} days ago`,
  remove: (what: string) => `Remove ${what}`,
  download: 'Download',
  format: 'Format',
  /** The forms of a file, as spreadsheets of the language expect them first. */
  formats: {
    comma: 'CSV with commas',
    semicolon: 'CSV with semicolons',
    tab: 'CSV with tabs',
    xlsx: 'Excel workbook (.xlsx)',
  },
  lines: (count: number, text: string) => `${text} ${count === 1 ? 'line' : 'lines'}`,
  nothing: 'Nothing to save: the list is empty.',
};
