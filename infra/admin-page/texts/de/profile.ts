import type * as en from '../en/profile.ts';

export const profile: typeof en.profile = {
  team: 'Standardteam',
  app: 'Standardanwendung',
  appHint: 'Ereignisse über das Konto nennen diese Anwendung.',
  none: 'keine Angabe',
  saved: (label) => `${label} gespeichert`,
  savedOf: (label, username) => `${label} von ${username} gespeichert`,
  inList: (label) => label,
};
