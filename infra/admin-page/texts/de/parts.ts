import type * as en from '../en/parts.ts';

export const parts: typeof en.parts = {
  none: 'keine',
  progress: 'Fortschritt',
  busy: (clock) => `Der Dienst ist ausgelastet. Um ${clock} geht es von selbst weiter.`,
  notSent: 'Nicht gesendet: Sie haben vorher angehalten.',
  confirm: (text) => `Geben Sie zur Bestätigung ${text} ein`,
  codeLabel: 'Der Code endet nach',
  hours: (n) => `${n} ${n === 1 ? 'Stunde' : 'Stunden'}`,
  days: (n) => `${n} ${n === 1 ? 'Tag' : 'Tagen'}`,
  copy: 'Kopieren',
  once: 'Wird nur einmal angezeigt.',
  copied: 'Kopiert. Wird nur einmal angezeigt.',
  cannotCopy: 'Der Browser kann nicht kopieren: Markieren Sie den Text. Er wird nur einmal angezeigt.',
};
