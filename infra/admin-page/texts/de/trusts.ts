import { said } from '../../said.ts';
import type * as en from '../en/trusts.ts';

export const trusts: typeof en.trusts = {
  title: 'Vertrauensregeln',
  none: 'Noch keine Vertrauensregel. Erstellen Sie eine für jedes Programm, oder ein API-Token, wo seine Plattform ihm kein Token gibt.',
  columns: {
    trust: 'Vertrauensregel',
    accepts: 'Nimmt Tokens an von',
    limits: 'Grenzen',
    created: 'Erstellt',
    use: 'Verwendung',
  },
  createdBy: (when, name) => said`${when} von ${name}`,
  unknownIssuer: 'steht nicht in den Einstellungen: Nichts meldet sich an',
  minutes: (n) => `${n} Minuten`,
  noIssuer: (setting, example) =>
    said`Noch ist kein Aussteller eingetragen. Wer den Dienst einrichtet, trägt die vertrauten Aussteller in die Einstellung ${setting} ein: ${example}`,
  create: 'Vertrauensregel erstellen',
  createAsk: (machine) => said`Vertrauensregel für ${machine} erstellen`,
  createText:
    'Ein Programm meldet sich mit dem Token an, das seine Plattform ihm gibt: Niemand speichert ein Geheimnis.',
  created: (name, machine) =>
    said`Die Vertrauensregel ${name} von ${machine} ist erstellt. Fügen Sie dies dort ein, wo das Programm läuft.`,
  show: 'Anzeigen',
  showTitle: (name, machine) => said`So verwendet ein Programm die Vertrauensregel ${name} von ${machine}`,
  snippet: 'Es enthält kein Geheimnis, meldet sich an und liest das Profil der Maschine.',
  copy: 'Kopieren',
  refused: (command) =>
    said`Es wird abgewiesen? „Aktivität“ sagt, warum. Der Befehl ${command} für Betreuer vergleicht ein Token mit der Vertrauensregel.`,
  delete: 'Löschen',
  deleteAsk: (name, machine) => said`Vertrauensregel ${name} von ${machine} löschen?`,
  deleteText:
    'Ihre Sitzungen enden sofort: Die nächste Anfrage wird abgewiesen. Eine neue Vertrauensregel mit demselben Namen belebt sie nicht wieder.',
  deleted: (name, machine) =>
    said`Die Vertrauensregel ${name} von ${machine} ist gelöscht, und ihre Sitzungen sind beendet.`,
  placeholder: 'deploy',
  issuer: 'Aussteller der Tokens',
  how: 'Tokens, die sie annimmt',
  otherTokens: 'Andere Tokens',
  subject: (subject) => said`Subject: ${subject}`,
  restrict: 'Einschränken',
  sessions: 'Eine Sitzung endet',
  after: (minutes) => (minutes === 60 ? 'nach einer Stunde' : `nach ${minutes} Minuten`),
};
