import { said } from '../../said.ts';
import type * as en from '../en/changes.ts';

const konten = (n: number) => (n === 1 ? 'Konto' : 'Konten');
const waren = (n: number) => (n === 1 ? 'war' : 'waren');
const hatten = (n: number) => (n === 1 ? 'hatte' : 'hatten');

export const changes: typeof en.changes = {
  lock: {
    label: 'Sperren',
    ask: (whom) => said`${whom} sperren?`,
    will: 'wird gesperrt',
    effect:
      'Kein Passwort und kein Token funktioniert. Alle Sitzungen und ein offener Einmalcode enden. Eine frühere Sperre wird ersetzt.',
    did: (whom) => said`Sie haben ${whom} gesperrt`,
    had: (n) => `${n} ${hatten(n)} diese Sperre schon`,
    needless: '',
  },
  unlock: {
    label: 'Entsperren',
    ask: (whom) => said`${whom} entsperren?`,
    will: 'wird entsperrt',
    effect: 'Anmeldungen und API-Tokens werden wieder angenommen. Sitzungen und Einmalcodes bleiben beendet.',
    did: (whom) => said`Sie haben ${whom} entsperrt`,
    had: (n) => `${n} ${waren(n)} nicht gesperrt`,
    needless: 'ist nicht gesperrt',
  },
  cancel: {
    label: 'Konto kündigen',
    ask: (whom, number = 1) => said`${konten(number)} von ${whom} kündigen?`,
    will: 'wird gekündigt',
    effect:
      'Kein Passwort und kein Token funktioniert. Alle Sitzungen und ein offener Einmalcode enden, und Anwendungen dürfen die Daten löschen.',
    did: (whom, number) => said`Sie haben ${number === 1 ? 'das Konto' : 'die Konten'} von ${whom} gekündigt`,
    had: (n) => `${n} ${waren(n)} schon gekündigt`,
    needless: 'ist schon gekündigt',
  },
  addRole: {
    label: 'Rolle geben',
    ask: (whom) => said`${whom} eine Rolle geben?`,
    will: 'bekommt die Rolle',
    effect: '',
    did: (whom, _number, role) => said`Sie haben ${whom} die Rolle ${role} gegeben`,
    had: (n) => `${n} ${hatten(n)} sie schon`,
    needless: 'hat sie schon',
  },
  removeRole: {
    label: 'Rolle entziehen',
    ask: (whom) => said`${whom} eine Rolle entziehen?`,
    will: 'verliert die Rolle',
    effect: '',
    did: (whom, _number, role) => said`Sie haben ${whom} die Rolle ${role} entzogen`,
    had: (n) => `${n} ${hatten(n)} sie nicht`,
    needless: 'hat sie nicht',
  },
  undo: 'Rückgängig',

  lockAgain: 'Wieder sperren',
  isBack: (whom) => said`Die frühere Sperre von ${whom} gilt wieder.`,
  isLocked: (whom) => said`${whom} ist wieder gesperrt.`,
  unlockedPerson: (whom) =>
    said`${whom} ist entsperrt und kann sich wieder anmelden; API-Tokens funktionieren. Erstellen Sie ohne Passwort einen Einmalcode.`,
  unlockedMachine: (whom) =>
    said`${whom} ist entsperrt und kann sich wieder anmelden; API-Tokens funktionieren.`,
  unlockedCancelled: (whom) => said`${whom} ist entsperrt und weiterhin gekündigt.`,
  reason: 'Grund',
  reasonHint: 'Freiwillig; Administratoren sehen ihn.',
  until: 'Bis',
  untilUnlocked: 'ein Administrator entsperrt',
  otherTime: 'zu einer anderen Zeit',
  time: 'Datum und Uhrzeit',
  tomorrow: (clock) => `morgen ${clock}`,
  monday: (clock, isNext) => `${isNext ? 'nächsten Montag' : 'Montag'} ${clock}`,
};
