import type * as en from '../en/time.ts';

export const time: typeof en.time = {
  justNow: 'gerade eben',
  today: 'heute',
  tomorrow: 'morgen',
  at: (day, clock) => `${day} um ${clock}`,
  never: 'nie',
  noEnd: 'unbefristet',
};
