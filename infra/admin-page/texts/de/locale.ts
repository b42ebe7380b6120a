import type * as en from '../en/locale.ts';

export const locale: typeof en.locale = {
  dates: 'de-DE',
  general: 'de',
};
