import { said } from '../../said.ts';
import type * as en from '../en/tokens.ts';

const DURATIONS: Readonly<Record<number, string>> = { 60: 'eine Stunde', 1440: 'einen Tag' };

export const tokens: typeof en.tokens = {
  caption: 'API-Tokens',
  columns: {
    token: 'Token',
    description: 'Beschreibung',
    ends: 'Läuft ab',
    lastUsed: 'Zuletzt benutzt',
    limits: 'Grenzen',
    owner: 'Besitzer',
    createdBy: 'Erstellt von',
  },
  neverUsed: (when) => said`nie, erstellt ${when}`,
  none: 'Noch kein Token.',
  noneCreate: 'Noch kein Token. Erstellen Sie eines für jedes Programm, das für das Konto arbeitet.',
  create: 'Token erstellen',
  createAsk: (owner) => said`Token für ${owner} erstellen`,
  createText: 'Ein Programm weist sich mit dem Geheimnis des Tokens aus.',
  created: (name, owner) => said`Das Token ${name} von ${owner} ist erstellt.`,
  name: 'Name',
  namePlaceholder: 'backup-laptop',
  nameRule:
    'Buchstaben ohne Umlaute, Ziffern und . _ - ohne Leerzeichen, zuerst ein Buchstabe oder eine Ziffer',
  noSpaces: 'Ein Name hat nur Buchstaben ohne Umlaute, Ziffern und . _ -',
  use: (name) => `„${name}“ verwenden`,
  description: 'Beschreibung',
  ends: 'Läuft ab',
  endChoices: {
    30: 'nach 30 Tagen',
    90: 'nach 90 Tagen',
    365: 'nach einem Jahr',
    date: 'an einem anderen Tag',
    '': 'nie',
  },
  endDate: 'Letzter Tag',
  endRefused: (days) => `Tokens gelten hier höchstens ${days} Tage. Wählen Sie ein früheres Ende`,
  endPassed: 'Dieses Ende ist schon vorbei. Wählen Sie ein späteres',
  restrict: 'Einschränken',
  accessLabel: 'Zugriff',
  access: { full: 'Lesen und schreiben', read: 'Nur lesen' },
  roles: 'Rollen',
  whichRoles: { '': 'Alle Rollen des Kontos', some: 'Nur einige seiner Rollen' },
  theseRoles: 'Diese Rollen',
  pickRoles: 'Wählen Sie die Rollen, oder lassen Sie alle Rollen des Kontos zu.',
  addresses: 'Adressen',
  whichAddresses: { '': 'Von jeder Adresse', some: 'Nur von einigen Adressen' },
  theseAddresses: 'Diese Adressen',
  addressesHint: 'Adressen oder Blöcke davon, mit Leerzeichen dazwischen.',
  secret: 'Geheimnis',
  newSecret: 'Neues Geheimnis',
  rotate: 'Geheimnis erneuern',
  rotateAsk: (name, owner) => said`Geheimnis des Tokens ${name} von ${owner} erneuern?`,
  rotateText:
    'Das Token bekommt ein neues Geheimnis. Das Programm braucht es, bevor das alte endet. Mit dem alten enden dessen Sitzungen.',
  overlap: 'Das alte Geheimnis endet',
  overlaps: {
    0: 'sofort, etwa nach einem Diebstahl',
    60: 'nach einer Stunde',
    1440: 'nach einem Tag',
    10080: 'nach 7 Tagen',
  },
  rotated: (name, owner, minutes) =>
    minutes > 0
      ? said`Das Geheimnis des Tokens ${name} von ${owner} ist erneuert. Das alte gilt noch ${DURATIONS[minutes] ?? `${minutes} Minuten`}.`
      : said`Das Geheimnis des Tokens ${name} von ${owner} ist erneuert. Das alte gilt nicht mehr.`,
  delete: 'Löschen',
  deleteAsk: (name, owner) => said`Token ${name} von ${owner} löschen?`,
  deleteText:
    'Programme mit diesem Token werden ab ihrer nächsten Anfrage abgewiesen. Es lässt sich nicht wiederherstellen.',
  deleted: (name, owner) => said`Das Token ${name} von ${owner} ist gelöscht.`,
  byOperator: (name) => said`${name}, mit einem Befehl`,
  screen: {
    title: 'Tokens und Administratoren',
    administrators: 'Administratoren',
    account: 'Konto',
    state: 'Zustand',
    lastActive: 'Zuletzt aktiv',
    noAdministrators: 'Kein Konto hat die Rolle.',
    tokens: 'API-Tokens nach Besitzer',
    noTokens: 'Kein Konto hat ein API-Token. Erstellen Sie eines auf der Seite des Kontos.',
    anyone: 'Alle',
    unusedSince: 'Unbenutzt seit',
    demote: 'Rolle entziehen',
    demoteAsk: (name) => said`${name} die Rolle „Administrator“ entziehen?`,
    demoteText:
      'Das Konto verliert die Rechte eines Administrators. Der letzte Administrator behält die Rolle.',
    demoted: (name) => said`${name} ist kein Administrator mehr.`,
    revoke: 'Alle löschen',
    revokeAsk: (name) => said`Alle API-Tokens von ${name} löschen?`,
    revokeText:
      'Programme mit diesen Tokens werden ab ihrer nächsten Anfrage abgewiesen. Sie lassen sich nicht wiederherstellen.',
    revoked: (name) => said`Alle API-Tokens von ${name} sind gelöscht.`,
  },
};
