import { said } from '../../said.ts';
import type * as en from '../en/machines.ts';

export const machines: typeof en.machines = {
  title: 'Maschinen',
  note: 'Programme, die sich selbst anmelden. Für jedes ist eine Person zuständig. Nach Benutzernamen sortiert.',
  none: 'Keine Maschinen. Erstellen Sie eine für jedes Programm, das mit diesem Dienst arbeitet.',
  search: 'Suchen',
  username: 'Benutzername',
  of: 'Maschinen von',
  anyone: 'Alle',
  columns: {
    machine: 'Maschine',
    owner: 'Besitzer',
    roles: 'Rollen',
    tokens: 'Tokens',
    trusts: 'Vertrauensregeln',
    lastActive: 'Zuletzt aktiv',
    state: 'Zustand',
  },
  create: 'Maschine erstellen',
  createText:
    'Eine Maschine ist ein Konto für ein Programm. Sie hat kein Passwort, keinen Code und keinen Passkey: Niemand meldet sich als Maschine an.',
  usernamePlaceholder: 'deploy-bot',
  usernameHint: 'Er lässt sich nicht ändern.',
  created: (name) =>
    said`Die Maschine ${name} ist erstellt. Erstellen Sie eine Vertrauensregel, damit sie sich ohne Geheimnis anmeldet, oder ein API-Token.`,
  owner: 'Besitzer',
  ownerHint: 'Die Person, die für sie zuständig ist und die Sie fragen, wenn etwas seltsam ist.',
  owned: (name) => said`Maschinen von ${name}`,
  changeOwner: 'Besitzer ändern',
  changeOwnerAsk: (machine) => said`Wer ist für ${machine} zuständig?`,
  changeOwnerText:
    'Die Person ist ab jetzt für die Maschine zuständig. Rollen, Tokens und Vertrauensregeln bleiben, wie sie sind.',
  ownerChanged: (owner, machine) => said`${owner} ist ab jetzt für ${machine} zuständig.`,
  become: 'In eine Maschine umwandeln',
  becomeAsk: (name) => said`${name} in eine Maschine umwandeln?`,
  becomeText:
    'Passwort, Einmalcode, Passkeys und Sitzungen enden, und neue gibt es nicht. API-Tokens, Rollen, Teams und Anwendungen bleiben. Niemand kann das Konto in eine Person zurückverwandeln.',
  becomeHint:
    'Entziehen Sie zuerst die Rollen für Administratoren und für API-Tokens: Maschinen können sie nicht haben.',
  became: (machine, owner) =>
    said`${machine} ist jetzt eine Maschine: Passwort, Passkeys und Sitzungen sind beendet. ${owner} ist für sie zuständig.`,
};
