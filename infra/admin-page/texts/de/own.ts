import { said } from '../../said.ts';
import type * as en from '../en/own.ts';

export const own: typeof en.own = {
  title: 'Ihr Konto',
  forAdministrators: 'Diese Adresse ist für Administratoren. Das hier ist Ihr eigenes Konto.',
  access: 'Zugriff',
  roles: 'Rollen',
  teams: 'Teams',
  applications: 'Anwendungen',
  changedByAdministrators: 'Ein Administrator kann Ihre Rollen, Teams und Anwendungen ändern.',
  passkeyText:
    'Mit einem Passkey melden Sie sich mit Fingerabdruck, Gesicht oder PIN an: Sie müssen sich nichts merken, und keine gefälschte Seite kann ihn stehlen.',
  unknownSession: 'Sie kennen eine davon nicht? Beenden Sie sie, und ändern Sie dann Ihr Passwort.',
  tokensRole: (role) =>
    `Programme benutzen API-Tokens, um für Sie zu arbeiten. Um eines zu erstellen, bitten Sie einen Administrator um die Rolle „${role}“.`,
  logOutEverywhere: 'Überall abmelden',
  logOutEverywhereAsk: 'Auf allen Geräten abmelden?',
  logOutEverywhereText:
    'Alle Ihre Sitzungen enden, auch diese hier und die auf anderen Geräten. API-Tokens bleiben gültig.',

  sessions: 'Sitzungen',
  noSessions: 'Keine offene Sitzung. Eine Anmeldung öffnet eine.',
  program: 'Programm',
  address: 'Adresse',
  began: 'Begonnen',
  ends: 'Endet',
  openedWith: 'Geöffnet mit',
  thisBrowser: 'dieser Browser',
  programOn: (program, system) => `${program} unter ${system}`,
  unknownProgram: 'unbekannt',
  userAgent: 'Kennung des Browsers',
  byPassword: 'Passwort',
  byPasskey: (name) => said`Passkey ${name}`,
  byTrust: (name) => said`Vertrauensregel ${name}`,
  byToken: (name) => said`API-Token ${name}`,
  endSession: 'Sitzung beenden',
  endSessionAsk: (program) => said`Die Sitzung in ${program} beenden?`,
  endSessionAskHere: 'Die Sitzung dieses Browsers beenden?',
  endHere:
    'Sie werden abgemeldet: Es ist die Sitzung dieses Browsers. Ihre anderen Sitzungen bleiben, wie sie sind.',
  endThere:
    'Ihre nächste Anfrage wird abgelehnt. Das Konto und seine anderen Sitzungen bleiben, wie sie sind.',
  sessionEnded: (name) => said`Eine Sitzung von ${name} ist beendet: Ihre nächste Anfrage wird abgelehnt.`,

  passkeys: 'Passkeys',
  passkey: 'Passkey',
  created: 'Erstellt',
  lastUsed: 'Zuletzt benutzt',
  synced: 'Synchronisiert',
  elsewhere: (domain) => said` gilt nur unter ${domain}, nicht hier`,
  fallen: (time) =>
    said`Abgelehnt seit ${time}: Sein Zähler ist zurückgefallen. Das Gerät wurde zurückgesetzt, oder jemand hat eine Kopie. Entfernen Sie den Passkey, und erstellen Sie ihn neu.`,
  onSeveral: 'Ja, auf mehreren Geräten',
  notYet: 'Noch nicht',
  onOne: 'Nein, auf einem Gerät',
  thisDevice: 'Dieses Gerät',
  createPasskey: 'Passkey erstellen',
  createText:
    'Ihr Browser fragt, wo er ihn aufbewahren soll: auf diesem Gerät, auf einem Telefon oder auf einem Sicherheitsschlüssel.',
  name: 'Name',
  namePattern: (most) => `Höchstens ${most} Zeichen, ohne / und \\`,
  nameHint: 'Daran erkennen Sie das Gerät, etwa „Annas iPhone“.',
  nameInUse: 'Sie haben einen Passkey mit diesem Namen. Wählen Sie einen anderen.',
  nameRefused: 'So kann ein Passkey nicht heißen. Wählen Sie einen anderen Namen.',
  passkeyCreated: (name) =>
    said`Der Passkey ${name} ist erstellt. Melden Sie sich das nächste Mal damit statt mit Ihrem Passwort an.`,
  atAddress: (host, link) =>
    said`Passkeys gelten unter einem Namen, nicht unter der Adresse ${host}. Öffnen Sie ${link}.`,
  thisPageAtLocalhost: 'diese Seite unter localhost',
  noPasskeysHere: 'Dieser Browser kennt keine Passkeys. Benutzen Sie einen aktuellen, um einen zu erstellen.',
  removePasskey: 'Passkey entfernen',
  removeOwnAsk: (name) => said`Ihren Passkey ${name} entfernen?`,
  removeAsk: (name, owner) => said`Den Passkey ${name} von ${owner} entfernen?`,
  removeOwnText:
    'Niemand kann sich mehr damit anmelden, und die damit geöffneten Sitzungen enden, vielleicht auch diese. Andere Sitzungen bleiben.',
  removeText:
    'Niemand kann sich mehr damit anmelden, und die damit geöffneten Sitzungen enden. Ist das Gerät verloren? Beenden Sie auch seine anderen Sitzungen unter „Sitzungen“. Die Person meldet sich mit dem Passwort oder einem Einmalcode an und erstellt einen anderen Passkey.',
  ownRemoved: (name) =>
    said`Der Passkey ${name} ist entfernt, und seine Sitzungen sind beendet. Sein Gerät zeigt ihn vielleicht noch: Löschen Sie ihn auch dort.`,
  removed: (name, owner) =>
    said`Der Passkey ${name} von ${owner} ist entfernt, und seine Sitzungen sind beendet.`,
  noOwnPasskeys: 'Noch kein Passkey. Erstellen Sie einen für jedes Ihrer Geräte.',
  noPasskeys: 'Kein Passkey. Nur die Person selbst kann einen erstellen.',
};
