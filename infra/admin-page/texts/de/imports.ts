import { number } from '../../locale.ts';
import { type Said, said } from '../../said.ts';
import type * as en from '../en/imports.ts';

const people = (n: number) => `${number(n)} ${n === 1 ? 'Person' : 'Personen'}`;
const rows = (n: number) => `${number(n)} ${n === 1 ? 'Zeile' : 'Zeilen'}`;

const SAVE =
  'Öffnen Sie sie in einer Tabellenkalkulation, und speichern Sie sie als „Excel-Arbeitsmappe (.xlsx)“';

const columns: typeof en.imports.columns = {
  username: {
    label: 'Benutzername',
    text: 'Damit meldet sich die Person an: höchstens 128 Buchstaben, Ziffern oder die Zeichen . _ @ + -. Jeder Name gehört nur einer Person und kann nicht geändert werden.',
  },
  user_first_name: { label: 'Vorname', text: 'Steht für Kollegen neben dem Benutzernamen.' },
  user_last_name: { label: 'Nachname', text: 'Steht nach dem Vornamen.' },
  roles: {
    label: 'Rollen',
    text: 'Was die Person darf. Mehrere Rollen trennt ein Leerzeichen. Eine Rolle, die noch niemand hat, entsteht neu: Prüfen Sie die Schreibweise.',
  },
  teams: {
    label: 'Teams',
    text: 'Kurznamen von Teams, durch Leerzeichen getrennt. Das erste ist das Hauptteam. Fehlende Teams können Sie vor dem Import anlegen.',
  },
  phonenumber: { label: 'Telefonnummer', text: 'In beliebiger Schreibweise.' },
  user_short: { label: 'Kürzel', text: 'Höchstens 8 Zeichen. Leer: die Anfangsbuchstaben des Namens.' },
  user_color: {
    label: 'Farbe',
    text: 'Farbe hinter dem Kürzel, zum Beispiel #1A2B3C. Leer: Der Dienst wählt eine.',
  },
  user_currency: { label: 'Währung', text: 'Drei Großbuchstaben. Leer: EUR.' },
  apps: {
    label: 'Anwendungen',
    text: 'Anwendungen, die die Person benutzen darf, durch Leerzeichen getrennt. Die erste öffnet sich zuerst. Leer: core.',
  },
  kind: { label: 'Art', text: 'machine für ein Programm. Leer: eine Person.' },
  owner: {
    label: 'Verantwortlich',
    text: 'Benutzername der Person, die für eine Maschine verantwortlich ist. Nur bei Maschinen.',
  },
  emailconfirmed: {
    label: 'Email confirmed',
    text: 'WAHR, wenn die E-Mail-Adresse der Person geprüft ist. Leer: FALSCH.',
  },
  lockoutenabled: {
    label: 'Lockout enabled',
    text: 'FALSCH, wenn falsche Anmeldungen das Konto nie für eine Zeit sperren. Leer: WAHR.',
  },
  user_properties: {
    label: 'Properties',
    text: 'Weitere Angaben für Anwendungen, als JSON. Ihre technische Ansprechperson kennt sie.',
  },
};

const faults: typeof en.imports.faults = {
  encoding: () =>
    'Ist nicht UTF-8. Speichern Sie die Datei in der Tabellenkalkulation als „CSV UTF-8“; sonst wählen Sie die Kodierung UTF-8',
  repeats: (line) => `Wiederholt Zeile ${line}`,
  cells: () => 'Muss so viele Zellen haben wie die Zeile mit den Spaltennamen',
  unnamed: () => 'Steht in einer Spalte ohne Namen',
  destroyed: () =>
    'Ist, was eine Tabellenkalkulation von einem anderen Wert übrig ließ: Geben Sie ihn in einer als Text formatierten Spalte neu ein, oder speichern Sie die Datei als .xlsx',
  twice: (name, property, column) =>
    `„${name}“ setzt ${property}, wie auch Spalte ${column}: Löschen Sie eine der beiden`,
  unknownColumn: (name) => `„${name}“ ist keine Spalte eines Imports`,
  noColumn: () => 'Ist keine Spalte eines Imports',
  noNames: () => 'Muss die Spalten benennen',
  known: (names) => `Die Spalten eines Imports sind ${names}`,
  quotes: () => 'Anführungszeichen müssen um die ganze Zelle stehen und darin verdoppelt sein',
  openQuote: () => 'Hat ein Anführungszeichen, das nicht geschlossen wird',
  csv: (code) => `Muss CSV sein (${code})`,
  noProperty: () => 'Ist keine Eigenschaft eines Kontos',
  json: (column) => `Muss JSON sein: siehe Spalte ${column}`,
  noHead: () => 'Muss die Spalten in der ersten Zeile des ersten Blatts benennen',
  oldWorkbook: () =>
    `Ist eine Arbeitsmappe mit Passwort oder in einem älteren Format (.xls). ${SAVE}, ohne Passwort`,
  noWorkbook: () => `Ist keine Arbeitsmappe im Format .xlsx. ${SAVE}`,
  brokenWorkbook: () => `Ist eine Arbeitsmappe, die beschädigt oder unvollständig ist. ${SAVE}`,
  largeWorkbook: (size) => `Ist eine Arbeitsmappe mit mehr als ${size} MB ohne Komprimierung: Teilen Sie sie`,
  cancelled: () => 'Gekündigte Konten kann nur der Betrieb importieren',
  locked: () => 'Gesperrte Konten kann nur der Betrieb importieren',
  field: () => 'Dieses Feld kann nur der Betrieb importieren',
  example: () => 'Ist das Beispiel der Vorlage: Löschen Sie diese Zeile',
};

export const imports: typeof en.imports = {
  columns,
  faults,
  people,
  title: 'Personen importieren',
  note: 'Legt die Konten vieler Personen aus einer Tabelle an. Konten, die es gibt, bleiben, wie sie sind.',
  prepare: '1. Datei vorbereiten',
  prepareText:
    'Laden Sie die Vorlage herunter, und ersetzen Sie ihr Beispiel durch eine Zeile für jede Person. Eine Datei eines anderen Dienstes kann ihre Spaltennamen behalten.',
  template: 'Import-Vorlage',
  downloadTemplate: 'Vorlage herunterladen',
  format: 'Format',
  required: ' (erforderlich)',
  columnsLabel: 'Spalten',
  moreColumns: 'Weitere Spalten',
  moreColumnsTitle: 'Weitere Spalten und ihre Namen',
  columnsNote:
    'Die Reihenfolge der Spalten ist beliebig, und nicht erforderliche können fehlen. Auch eine Liste, die unter „Personen“ heruntergeladen wurde, lässt sich importieren.',
  choose: '2. Datei wählen',
  file: 'Datei',
  fileHint:
    'Eine Excel-Arbeitsmappe (.xlsx), von der das erste Blatt gelesen wird; CSV oder Text einer Tabellenkalkulation, mit Komma, Semikolon oder Tabulator; oder ein JSON-Objekt je Zeile. Vor dem Import wird nichts geändert.',
  chosen: (file: Said) =>
    said`${file} ist gewählt. Die Datei bleibt hier, bis Sie sie importieren oder verwerfen.`,
  discard: 'Datei verwerfen',
  unreadable:
    'Die Datei ist nicht lesbar: Korrigieren Sie sie, und wählen Sie sie erneut. Schritt 1 nennt die Spalten.',
  empty: 'Die Datei hat keine Zeilen.',
  faultsLabel: 'Fehler',
  line: (n: number) => `Zeile ${number(n)}`,
  check: '3. Zeilen prüfen',
  noFaults: (n: number) => `${rows(n)}, alle ohne Fehler.`,
  someFaults: (all: number, right: number, wrong: number) =>
    `${rows(all)}: ${number(right)} können importiert werden, ${number(wrong)} ${wrong === 1 ? 'hat' : 'haben'} Fehler.`,
  someExist: (n: number) =>
    n === 1
      ? 'Eine Person gibt es schon; sie bleibt, wie sie ist.'
      : `${people(n)} gibt es schon; sie bleiben, wie sie sind.`,
  allExist: 'Alle Personen der Datei gibt es schon. Es ist niemand zu importieren.',
  guess:
    'Die Datei hat eine ältere Kodierung und wurde als Windows-1252 gelesen. Prüfen Sie Buchstaben wie ü und é in den Zeilen.',
  others: 'Die anderen können Sie jetzt importieren. ',
  correct:
    'Laden Sie die Zeilen mit Fehlern herunter: Die Datei nennt bei jeder den Grund. Korrigieren Sie sie, und importieren Sie diese Datei.',
  all: 'Alle',
  withFaults: 'Mit Fehlern',
  existing: 'Vorhanden',
  downloadFaults: (n: number) => `${rows(n)} mit Fehlern herunterladen`,
  rowsOfFile: 'Zeilen der Datei',
  lineColumn: 'Zeile',
  exists: 'Gibt es schon: bleibt, wie es ist',
  yes: 'Ja',
  no: 'Nein',
  submit: (n: number) => `${people(n)} importieren`,
  continue: (n: number) => `Mit ${people(n)} fortfahren`,
  noCodes: 'Kein Code, für Personen, die ihn später bekommen',
  hoursHint: 'Jede Person bekommt einen Einmalcode, mit dem sie ein Passwort festlegt.',
  missing: 'Fehlende Teams',
  missingText: (n: number) =>
    n === 1
      ? 'Die Datei nennt ein Team, das es nicht gibt. Legen Sie es hier an, oder korrigieren Sie die Datei.'
      : `Die Datei nennt ${number(n)} Teams, die es nicht gibt. Legen Sie sie hier an, oder korrigieren Sie die Datei.`,
  missingTeam: (short: Said, n: number) => said`${short} (${people(n)})`,
  teamName: (short: string) => `Name von ${short}`,
  teamType: 'Art',
  defaultType: 'abteilung',
  teamTypeHint: 'Kleinbuchstaben, etwa abteilung oder projekt',
  createTeams: (n: number) => (n === 1 ? 'Team anlegen' : `${number(n)} Teams anlegen`),
  teamsCreated: (n: number) => (n === 1 ? 'Das Team ist angelegt.' : `${number(n)} Teams sind angelegt.`),
  former: (when: Said) => said`Sie haben diese Datei ${when} in diesem Browser importiert.`,
  formerAgain:
    'Beim Fortfahren werden fehlende Personen angelegt, und Codes, die noch gelten, werden angezeigt. Niemand wird doppelt angelegt.',
  formerOver:
    'Ihre Codes lassen sich nicht mehr anzeigen. Wessen Code abgelaufen ist, steht in „Personen“ unter „Code abgelaufen“: Erstellen Sie dort neue.',
  running: 'Personen werden importiert',
  stoppedTitle: 'Import angehalten',
  done: 'Import fertig',
  progress: (of: string) => `${of} Personen`,
  busy: (clock: string) => `Der Dienst ist ausgelastet. Der Import geht um ${clock} von selbst weiter.`,
  stopping: 'Auf die Antworten zu den gesendeten Zeilen wird gewartet.',
  keepOpen:
    'Lassen Sie diesen Tab offen. Andere Bereiche können Sie inzwischen benutzen. Wird der Tab doch geschlossen, wählen Sie dieselbe Datei innerhalb von 24 Stunden in diesem Browser erneut: Niemand wird doppelt angelegt.',
  resumeText: '„Fortsetzen“ macht mit der nächsten Zeile weiter. Niemand wird doppelt angelegt.',
  stop: 'Anhalten',
  resume: 'Fortsetzen',
  imported: (n: number) => `${people(n)} importiert`,
  give: (link: Said, end: Said) =>
    said`Geben Sie jeden Code der Person, der er gehört, und niemandem sonst: Damit legt sie unter ${link} ein Passwort fest. Jeder gilt einmal${end}. Die Codes stehen nur hier: Kopieren Sie sie oder laden Sie sie herunter, bevor Sie den Import schließen.`,
  until: (when: Said) => said`, bis ${when}`,
  undo: 'Ein Versehen? Unter „Aktivität“ nehmen Sie den ganzen Import zurück.',
  downloadCodes: 'Codes herunterladen',
  downloadList: 'Liste herunterladen',
  fileName: 'Import',
  importedLabel: 'Importierte Personen',
  notImported: (n: number) => `${people(n)} nicht importiert`,
  notImportedText:
    'Laden Sie die Zeilen mit dem Grund bei jeder herunter, korrigieren Sie sie, und importieren Sie diese Datei.',
  downloadNotImported: (n: number) => `${number(n)} nicht importierte herunterladen`,
  notImportedLabel: 'Nicht importiert',
  name: 'Name',
  username: 'Benutzername',
  code: 'Einmalcode',
  reason: 'Grund',
  codeGone: (when: Said) => said`${when} angelegt; der Code wurde benutzt oder ist abgelaufen`,
  copyCodes: 'Codes kopieren',
  copied: (n: number) => `${number(n)} kopiert`,
  cannotCopy: 'Der Browser kann nicht kopieren: Laden Sie die Codes herunter.',
  loss: 'Sie haben die Codes weder kopiert noch heruntergeladen: Mit dem Schließen gehen sie verloren. Innerhalb von 24 Stunden zeigt ein Import derselben Datei mit derselben Gültigkeit in diesem Browser sie wieder an.',
  close: 'Import schließen',
  closeAllTheSame: 'Trotzdem schließen',
  existed: 'Ein Konto mit diesem Benutzernamen gibt es schon: Es bleibt, wie es ist',
  shown: (to: number, all: number) => `1 bis ${number(to)} von ${number(all)}`,
  showMore: 'Mehr anzeigen',
  outcomes: { created: 'angelegt', existed: 'vorhanden', refused: 'abgelehnt' },
};
