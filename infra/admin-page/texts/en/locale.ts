/** How the page formats: tags of `Intl`. */
export const locale = {
  /** Of dates, times and lists. */
  dates: 'en-GB',
  /** Of numbers and sorting. */
  general: 'en',
};
