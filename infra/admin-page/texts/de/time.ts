import type * as en from '../en/time.ts';

export const time: typeof en.time = {
  justNow: 'gerade eben',
  today: 'heute',
  tomorrow: 'morgen',
  never: 'nie',
  noEnd: 'unbefristet',
};
