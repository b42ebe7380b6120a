import type * as en from '../en/header.ts';

export const header: typeof en.header = {
  people: 'Personen',
  machines: 'Maschinen',
  teams: 'Teams',
  activity: 'Aktivität',
  tokens: 'Tokens',
  attention: 'Zu tun',
  screens: 'Bereiche',
  yourAccount: 'Ihr Konto',
  administrator: 'Administrator',
  noAdministrator: 'Kein Administrator',
  docs: 'API-Dokumentation',
  other: { language: 'en', name: 'English' },
};
