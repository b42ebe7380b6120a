import { said } from '../../said.ts';
import type * as en from '../en/attention.ts';

const hours = (n: number) => (n === 1 ? 'einer Stunde' : `${n} Stunden`);
const days = (n: number) => (n === 1 ? 'einem Tag' : `${n} Tagen`);

export const attention: typeof en.attention = {
  title: 'Zu tun',
  note: 'Personen, Maschinen und Zugänge, die auf Sie warten, das Dringendste zuerst.',
  nothing: 'Nichts zu tun.',
  nothingNote: 'Was in der letzten Stunde geschah, steht noch nicht hier.',
  read: (tokens) => `${tokens} Tokens gelesen …`,
  count: (n, isOne) => `${n} ${isOne ? 'Eintrag' : 'Einträge'}`,
  more: (n) => `${n} weitere anzeigen`,
  mayBeMore: 'Es kann noch mehr geben: Es erscheint, wenn dies erledigt ist.',
  notNow: 'Nicht jetzt',
  notNowFor: (name) => `Nicht jetzt: ${name}`,
  notNowAll: (n) => `Alle ${n} nicht jetzt`,
  notNowHint: (n) => `Kommt in ${days(n)} wieder. Nur dieser Browser stellt es zurück.`,
  off: (n) => `Zurückgestellt: ${n}`,
  offNote: (n) => `Jeder Eintrag kommt nach ${days(n)} wieder. Nur dieser Browser stellt ihn zurück.`,
  comesBack: (when) => said`kommt ${when} wieder`,
  takeBack: 'Wieder anzeigen',
  takeBackFor: (name) => `Wieder anzeigen: ${name}`,
  groups: {
    codes: {
      title: 'Abgelaufene Einmalcodes',
      note: 'Diese Personen haben nie ein Passwort gesetzt, und ihr Code gilt nicht mehr. Nur ein neuer Code lässt sie hinein.',
    },
    leavers: {
      title: 'Personen, die endgültig gelöscht werden können',
      note: 'Ihr Konto ist gekündigt, und die Frist zum Reaktivieren ist um. Ihre Daten bleiben, bis jemand sie endgültig löscht.',
    },
    bare: {
      title: 'Administratoren ohne Passkey',
      note: 'Wer ein solches Passwort erfährt, kann jedes Konto ändern. Bitten Sie sie, einen Passkey anzulegen: Nur sie selbst können das.',
    },
    refused: {
      title: 'Abgewiesene Passkeys',
      note: 'Das Gerät wurde zurückgesetzt, oder jemand hat eine Kopie davon. Entfernen Sie den Passkey unter „Zugriff“; sein Besitzer legt einen neuen an.',
    },
    idle: {
      title: 'Unbenutzte Passkeys von Administratoren',
      note: 'Ein Passkey läuft nicht ab. Fragen Sie, ob es das Gerät noch gibt; wenn nicht, entfernen Sie den Passkey unter „Zugriff“.',
    },
    machines: {
      title: 'Maschinen ohne Besitzer',
      note: 'Niemand ist mehr für sie zuständig. Jemand anderes sollte es sein.',
    },
    events: {
      title: 'Wartende Ereignisse',
      note: 'Anwendungen wissen noch nicht, was diese Ereignisse melden.',
    },
    maker: {
      title: 'Tokens von früheren Administratoren',
      note: 'Wer ein Token erstellt hat, kann sein Geheimnis behalten haben. Erneuern Sie es: Das Programm braucht dann das neue Geheimnis.',
    },
    ending: {
      title: 'Tokens, die bald ablaufen',
      note: 'Danach werden ihre Programme abgewiesen; ein neues Geheimnis ändert das Ende nicht. Erstellen Sie rechtzeitig andere Tokens.',
    },
    unused: {
      title: 'Unbenutzte Tokens',
      note: 'Kein Programm scheint sie zu brauchen. Fragen Sie ihre Besitzer, dann löschen Sie sie.',
    },
    never: {
      title: 'Nie benutzte Tokens',
      note: 'Nichts hat sie benutzt, seit sie erstellt oder erneuert wurden. Fragen Sie ihre Besitzer, dann löschen Sie sie.',
    },
    endless: {
      title: 'Tokens ohne Ende',
      note: 'Ein verlorenes Geheimnis gilt, bis es jemand bemerkt. Erstellen Sie Tokens, die ablaufen, dann löschen Sie diese.',
    },
  },
  codeEnded: (when) => said`Code abgelaufen ${when}`,
  codeGone: 'Der Code ist abgelaufen',
  erasableSince: (when) => said`Kann seit ${when} gelöscht werden`,
  since: (when) => said`Abgewiesen seit ${when}`,
  noPasskey: 'Meldet sich nur mit einem Passwort an',
  passkey: (name, fact) => said`${name}: ${fact}`,
  lastUsed: (when) => said`zuletzt benutzt ${when}`,
  neverUsed: 'nie benutzt',
  formerOwner: (name) => said`Früherer Besitzer: ${name}`,
  wait: (n, isOne, when) =>
    isOne ? said`Ein Ereignis wartet seit ${when}.` : said`${n} Ereignisse warten, das älteste seit ${when}.`,
  setAside: (n, isOne) =>
    isOne ? 'Eines davon wird nicht mehr wiederholt.' : `${n} davon werden nicht mehr wiederholt.`,
  eventsHelp: (afterHours) =>
    `Jede Minute veröffentlicht ein Dienst die wartenden Ereignisse. Nach ${hours(afterHours)} mit Fehlern wiederholt er ein Ereignis nicht mehr. Bitten Sie die Betreuer des Dienstes, die Ursache zu finden und diesen Befehl auszuführen:`,
  eventsLink: 'Was zu tun ist',
  token: (name, owner) => said`${name} von ${owner}`,
  reasons: {
    maker: (name) => said`erstellt von ${name}`,
    ending: (when) => said`läuft ab ${when}`,
    unused: (when) => said`zuletzt benutzt ${when}`,
    never: (when) => said`nie benutzt, erstellt ${when}`,
    endless: 'kein Ende',
  },
  newCode: 'Neuer Code',
  newCodeAsk: (name) => said`Neuen Code für ${name} erstellen?`,
  newCodeText: 'Damit setzt die Person ein Passwort und meldet sich an. Der frühere Code ist abgelaufen.',
  newCodeDone: (name, ends) => said`Der neue Code von ${name} gilt einmal, innerhalb von ${hours(ends)}.`,
  newCodes: (n) => `Neue Codes für alle ${n}`,
  erase: 'Endgültig löschen',
  openPerson: 'Person öffnen',
  openAccess: 'Zugriff öffnen',
  openTokens: 'Tokens öffnen',
};
