import type * as en from '../en/header.ts';

export const header: typeof en.header = {
  people: 'Personen',
  machines: 'Maschinen',
  teams: 'Teams',
  activity: 'Aktivität',
  events: 'Ereignisse',
  tokens: 'Tokens',
  attention: 'Handlungsbedarf',
};
