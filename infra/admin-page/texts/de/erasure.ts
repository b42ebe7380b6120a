import { type Said, said } from '../../said.ts';
import type * as en from '../en/erasure.ts';

export const erasure: typeof en.erasure = {
  title: 'Nachweis der Löschung',
  organisation: 'Organisation',
  person: 'Benutzername',
  account: 'ID des Kontos',
  at: 'Gelöscht am',
  by: 'Gelöscht von',
  operator: 'einem Betreiber des Dienstes, mit einem Befehl',
  erasedPerson: 'einem Administrator, dessen Konto später gelöscht wurde',
  request: 'Anfrage im Prüfprotokoll',
  noRequest: 'nicht mehr unter Aktivität; das Prüfprotokoll des Betreibers hat sie',
  state: 'Stand',
  complete: 'Vollständig: Es ist nichts übrig außer dem, was unten steht.',
  incomplete: (time: Said): Said =>
    said`Das Konto ist gelöscht. Sein Name in dem, was anderen gehört, ist spätestens am ${time} entfernt. Drucken Sie diesen Nachweis danach noch einmal: Aktivität, „gelöscht“, „Nachweis der Löschung“.`,
  printed: 'Nachweis erstellt am',
  gone: 'Was gelöscht wurde',
  goneKinds: [
    'Profil: Benutzername, Name, Telefon, Kürzel, Farbe, Währung und Eigenschaften von Anwendungen',
    'Rollen, Teams und Anwendungen des Kontos',
    'Passwort, Einmalcode und Passkeys',
    'API-Tokens und Vertrauensregeln einer Maschine',
    'Sitzungen und Aufzeichnungen von Anmeldungen',
    'Der Name unter Aktivität und in dem, was anderen gehört',
  ],
  stays: 'Was bleibt, bis wann und warum',
  staysText: 'Die Tage sind die spätestmöglichen; das meiste verschwindet früher.',
  keptHead: ['Wo', 'Was', 'Bis', 'Warum'],
  until: (days, day) => `${day} (${days} Tage)`,
  outside:
    'Anwendungen wurden aufgefordert, zu löschen, was sie von der Person haben. Dateien, die jemand heruntergeladen hat, liegen außerhalb dieses Dienstes.',
  again:
    'Dieser Nachweis kann unter Aktivität erneut gedruckt werden, solange die Löschung dort aufgeführt ist.',
  kept: {
    audit_log: {
      where: 'Prüfprotokoll',
      what: 'Benutzername, Namen von API-Tokens, Netzadressen, Gründe von Sperren',
      why: 'Nachweis, wer was getan hat, den niemand ändern kann',
    },
    function_logs: {
      where: 'Protokolle des Dienstes',
      what: 'Dasselbe wie im Prüfprotokoll, und die ID des Kontos',
      why: 'Betrieb des Dienstes; aus ihnen entsteht das Prüfprotokoll',
    },
    request_log: {
      where: 'Protokoll der Anfragen',
      what: 'Netzadressen, ohne Namen',
      why: 'Betrieb und Abwehr von Angriffen',
    },
    address_counters: {
      where: 'Zähler fehlgeschlagener Anmeldungen',
      what: 'Netzadressen, ohne Namen',
      why: 'Begrenzung geratener Passwörter',
      lasts: 'Einige Minuten; abgelaufene Zähler werden binnen Tagen gelöscht',
    },
    blocked_addresses: {
      where: 'Gesperrte Adressen',
      what: 'Netzadressen, ohne Namen',
      why: 'Abwehr von Angriffen',
      lasts: 'Bis zum Ende der Sperre, in der Regel ein Tag; dann binnen Tagen gelöscht',
    },
    function_memory: {
      where: 'Arbeitsspeicher des Dienstes',
      what: 'Das Konto, wie es zuletzt gelesen wurde',
      why: 'Sitzungen funktionieren, während die Datenbank ausfällt',
      lasts: 'Bis zu einer Minute',
    },
    event_archive: {
      where: 'Archiv der Ereignisse',
      what: 'Ereignisse, wie sie veröffentlicht wurden, mit Benutzername und Name',
      why: 'Anwendungen holen nach, was sie verpasst haben',
    },
    dead_letters: {
      where: 'Nicht zugestellte Ereignisse',
      what: 'Ereignisse, die eine Anwendung nicht empfangen hat',
      why: 'Sie werden erneut gesendet',
    },
    recovery: {
      where: 'Wiederherstellung der Datenbank',
      what: 'Die Datenbank, wie sie an jedem Tag vor der Löschung war',
      why: 'Wiederherstellung nach einem Datenverlust',
    },
    backups: {
      where: 'Tägliche Sicherungen und ihre Kopien',
      what: 'Die Datenbank, wie sie an jedem Tag vor der Löschung war',
      why: 'Wiederherstellung nach einem Datenverlust',
    },
    local_files: {
      where: 'Dateien dieser lokalen Instanz',
      what: 'Einträge des Prüfprotokolls und Ereignisse, wie sie geschrieben wurden',
      why: 'Ein Testbetrieb hat keine Aufbewahrungsfrist',
      lasts: 'Bis jemand die Dateien löscht',
    },
    local_database: {
      where: 'Datenbank dieser lokalen Instanz',
      what: 'Gelöschte Bytes, die noch nicht überschrieben sind',
      why: 'Die Datenbank überschreibt von selbst nichts',
      lasts: 'Bis zum nächsten Start der Instanz',
    },
    activity: {
      where: 'Aktivität in der Verwaltung',
      what: 'Was getan wurde, von „einer gelöschten Person“ mit der ID anstelle des Namens',
      why: 'Administratoren sehen, was getan wurde',
    },
    mark: {
      where: 'Vermerk der Löschung',
      what: 'ID des Kontos, Zeitpunkt, wer es gelöscht hat, und ein Prüfwert des Benutzernamens, den niemand lesen kann',
      why: 'Nachweis der Löschung; niemand sonst erhält den Benutzernamen',
      lasts: 'Immer',
    },
  },
};
