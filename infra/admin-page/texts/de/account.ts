import { said } from '../../said.ts';
import type * as en from '../en/account.ts';

export const account: typeof en.account = {
  parts: 'Bereiche des Kontos',
  profile: 'Profil',
  access: 'Zugriff',
  tokens: 'Tokens',
  sessions: 'Sitzungen',
  history: 'Verlauf',
  trusts: 'Vertrauensregeln',
  search: 'Personen suchen',
  more: 'Weitere Aktionen',

  kind: 'Art',
  machine: 'Maschine',
  owner: 'Besitzer',
  lastActive: 'Zuletzt aktiv',
  created: 'Erstellt',
  roles: 'Rollen',
  teams: 'Teams',
  apps: 'Anwendungen',
  answersFor: 'Verantwortlich für',
  code: 'Einmalcode',
  codeOf: (created, by, ends) => said`erstellt ${created} von ${by}, endet ${ends}`,
  details: 'Einzelheiten',
  id: 'ID des Kontos',
  username: 'Benutzername',

  canLogIn: 'Kann sich anmelden.',
  canSignIn: 'Kann sich anmelden.',
  neverIn: 'Kann sich anmelden, hat es aber noch nie getan.',
  neverMachine: 'Hat sich noch nie angemeldet.',
  noPassword: 'Hat noch kein Passwort: Mit einem Einmalcode legt die Person eines fest.',
  invited: (until) => said`Kann mit dem Einmalcode bis ${until} ein Passwort festlegen.`,
  codeLost: 'Ist der Code verloren? Ein neuer ersetzt ihn.',
  codeEnded: (at) =>
    said`Kann sich nicht anmelden: Es gibt kein Passwort, und der Einmalcode ist abgelaufen (${at}).`,
  newCode: 'Neuer Code',
  blocked: 'Anmeldung blockiert',
  attempts: (since, until) => said`seit ${since}: zu viele Fehlversuche, bis ${until}.`,
  attemptsFromAddress: (since, until) =>
    said`seit ${since}: zu viele Fehlversuche von einer Adresse, bis ${until}.`,
  blockedHelp: 'Warten Sie so lange, oder erstellen Sie einen Einmalcode: Er funktioniert trotzdem.',
  by: (by, since) => said`von ${by} seit ${since}`,
  operator: 'einem Betreiber',
  until: (time) => said` bis ${time}`,
  untilUnlocked: (isNext) => `${isNext ? ', ' : ''}bis jemand das Konto entsperrt`,
  reason: (text) => said`: ${text}`,
  cancelled: (when) => said`${when}`,
  cancelledBy: (when, by) => said`${when} von ${by}`,

  change: 'Zugriff ändern',
  changeAsk: (name) => said`Zugriff von ${name} ändern?`,
  unchanged:
    'Es ist noch nichts geändert. Fügen Sie eine Rolle, ein Team oder eine Anwendung hinzu, entfernen Sie eine, oder gehen Sie zurück.',
  added: 'hinzugefügt',
  removed: 'entfernt',
  accessChanged: (name, what) => said`Zugriff von ${name} geändert: ${what}.`,
  accessBack: (name) => said`Der Zugriff von ${name} ist wie vorher.`,
  undo: 'Rückgängig',

  createCode: 'Einmalcode erstellen',
  codeFor: (name) => said`Einmalcode für ${name}`,
  createCodeAsk: (name) => said`Einmalcode für ${name} erstellen?`,
  createCodeText:
    'Damit legt die Person ein neues Passwort fest und meldet sich an. Ein neuer Code ersetzt einen früheren.',
  passkeys: 'Passkeys der Person',
  passkeysKeep: 'bleiben',
  passkeysEnd: 'enden alle, wenn der Code benutzt wird',
  passkeysHint:
    'Beenden Sie sie, wenn jemand anders einen erstellt haben könnte. Die Person erstellt dann neue.',
  codeDone: (name, hours, endsPasskeys) =>
    said`Der Code von ${name} funktioniert einmal, innerhalb ${hours === 1 ? 'einer Stunde' : `von ${hours} Stunden`}.${endsPasskeys ? ' Wird er benutzt, enden alle Passkeys des Kontos.' : ''}`,

  reactivate: 'Reaktivieren',
  reactivateAsk: (name) => said`${name} reaktivieren?`,
  reactivatePerson: 'Die Person kann sich wieder anmelden. Sitzungen und Einmalcodes bleiben beendet.',
  reactivateMachine:
    'Die Maschine kann sich durch ihre Vertrauensregeln wieder anmelden. Ihre Sitzungen bleiben beendet.',
  itsTokens: 'API-Tokens',
  choose: 'Auswählen …',
  tokensRevoke: 'werden gelöscht',
  tokensKeep: 'funktionieren wieder',
  passkeysWork: 'funktionieren wieder',
  passkeysAllEnd: 'enden alle',
  reactivatedPerson: (name) =>
    said`${name} ist reaktiviert und kann sich wieder anmelden. Ohne Passwort: Erstellen Sie einen Einmalcode.`,
  reactivatedMachine: (name) => said`${name} ist reaktiviert und kann sich wieder anmelden.`,

  changeLock: 'Sperre ändern',
  changeLockAsk: (name) => said`Sperre von ${name} ändern?`,
  changeLockText: 'Die Sperre erhält diesen Grund und dieses Ende.',
  locked: (name) =>
    said`${name} ist gesperrt: Keine Anmeldung und kein Token funktioniert. Alle Sitzungen und ein offener Einmalcode sind beendet.`,

  needOwners: (machines) => said`${machines} arbeiten weiter und brauchen einen anderen Besitzer.`,
  cancelApps: 'Anwendungen, die die Daten löschen können: ',
  cancelDone: (name) =>
    said`Das Konto von ${name} ist gekündigt: Niemand kann sich anmelden, und ein offener Einmalcode ist beendet. „Reaktivieren“ nimmt das zurück, bis Anwendungen die Daten löschen.`,

  erase: 'Endgültig löschen',
  eraseAsk: (name) => said`${name} endgültig löschen?`,
  erasePerson:
    'Alles über die Person wird gelöscht: Profil, Zugriff, Passkeys und API-Tokens. Unter Aktivität heißt sie „eine gelöschte Person“. Anwendungen werden aufgefordert, zu löschen, was sie haben. Niemand kann das zurücknehmen, und niemand erhält den Benutzernamen wieder.',
  eraseMachine:
    'Alles über die Maschine wird gelöscht: Profil, Zugriff, Vertrauensregeln und API-Tokens. Unter Aktivität heißt sie gelöscht. Anwendungen werden aufgefordert, zu löschen, was sie haben. Niemand kann das zurücknehmen, und niemand erhält den Benutzernamen wieder.',
  eraseEarly: (from) =>
    said`Das Konto kann ab ${from} gelöscht werden. Bis dahin nimmt „Reaktivieren“ eine Kündigung zurück, die niemand wollte.`,
  eraseId: (id) => said`ID des Kontos, für den Nachweis der Löschung, den Sie danach erhalten: ${id}`,
  eraseHint: 'Laden Sie die Daten vorher herunter, wenn die Person danach fragen könnte.',
  eraseDone: 'Das Konto ist gelöscht, und Anwendungen wurden aufgefordert, zu löschen, was sie haben.',

  historyNew: 'Was Sie gerade getan haben, erscheint hier innerhalb einer Minute.',
  historyEmpty: 'Mit diesem Konto ist noch nichts geschehen.',
};
