import type * as en from '../en/me.ts';

export const me: typeof en.me = {
  profile: 'Profil',
  password: 'Passwort',
  passkeys: 'Passkeys',
  sessions: 'Sitzungen',
  tokens: 'API-Tokens',
};
