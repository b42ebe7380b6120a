/** How the page formats: tags of `Intl`. */
export const locale = {
  /** Of dates and times. */
  dates: 'en-GB',
  /** Of numbers, lists and sorting. */
  general: 'en',
};
