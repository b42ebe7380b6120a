import { said } from '../../said.ts';
import type * as en from '../en/invite.ts';

export const invite: typeof en.invite = {
  title: 'Einladen',
  note: 'Erstellt ein Konto und einen Einmalcode, mit dem die Person ein Passwort festlegt.',
  submit: 'Einladen',
  example: 'anna.keller',
  usernameHint: 'Damit meldet sich die Person an. Er lässt sich nicht ändern.',
  more: 'Mehr',
  noCode: 'kein Code: nur API-Tokens benutzen das Konto',
  invited: (name) => said`${name} ist eingeladen und kann sich anmelden, sobald ein Passwort festgelegt ist.`,
  created: (name) =>
    said`Das Konto von ${name} ist erstellt. Niemand kann sich anmelden, bis Sie einen Einmalcode erstellen.`,
};
