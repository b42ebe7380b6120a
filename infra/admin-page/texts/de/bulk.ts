import { number } from '../../locale.ts';
import { said } from '../../said.ts';
import type * as en from '../en/bulk.ts';

const people = (n: number) => `${number(n)} ${n === 1 ? 'Person' : 'Personen'}`;

export const bulk: typeof en.bulk = {
  people,
  isOwn: 'ist Ihr eigenes Konto: wird abgelehnt',
  willChange: 'Was sich ändert',
  due: (due, all) =>
    `Für ${number(due)} von ${people(all)} ändert sich etwas. Die anderen bleiben, wie sie sind.`,
  cancelHint: 'Die Zahl der Konten, die gekündigt werden.',
  machines: (n) =>
    `${people(n)} ${n === 1 ? 'ist' : 'sind'} Besitzer von Maschinen. Diese arbeiten weiter und brauchen einen anderen Besitzer:`,
  done: 'Was getan wurde',
  outcomes: {
    changed: 'geändert',
    same: 'nicht geändert',
    failed: 'fehlgeschlagen',
    undone: 'rückgängig gemacht',
    kept: 'nicht geändert',
  },
  report: (did, others) => said`${did}${others && ` (${others})`}.`,
  nothing: 'Nichts wurde geändert',
  failed: (n) =>
    `Bei ${people(n)} ist es fehlgeschlagen. ${n === 1 ? 'Sie ist' : 'Sie sind'} noch ausgewählt.`,
  undone: (n) => `Für ${people(n)} rückgängig gemacht.`,
  notUndone: (n) => `Für ${people(n)} ließ es sich nicht rückgängig machen.`,
  undo: (n) => `Für ${people(n)} rückgängig machen`,
  later: 'Sie können das auch später rückgängig machen, unter Aktivität.',
  undoing:
    'Einige Änderungen sind noch nicht rückgängig gemacht. Das geht weiter, auch wenn Sie dies schließen.',
  codes: {
    label: 'Neue Codes',
    ask: (whom) => said`Neue Einmalcodes für ${whom} erstellen?`,
    effect:
      'Mit einem Code legt eine Person ein Passwort fest und meldet sich an. Ein neuer Code ersetzt einen früheren. Nur Personen ohne Passwort bekommen einen, auch wenn ihr früherer Code abgelaufen ist.',
    will: 'bekommt einen neuen Code',
    hasPassword: 'hat ein Passwort',
    isCancelled: 'ist gekündigt',
    isLocked: 'ist gesperrt: erst entsperren',
    nobody: 'Niemand der Ausgewählten braucht einen Code.',
    did: (n) => `Sie haben Codes für ${people(n)} erstellt.`,
    skipped: (n) => `${people(n)} ${n === 1 ? 'hat' : 'haben'} keinen bekommen:`,
    list: 'Neue Codes',
    without: 'Personen ohne neuen Code',
    until: (time) => said`bis ${time}`,
  },
};
