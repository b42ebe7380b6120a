import { number } from '../../locale.ts';
import { type Said, said } from '../../said.ts';
import type * as en from '../en/ongoing.ts';

export const ongoing: typeof en.ongoing = {
  progress: (done: number, all: number) => `${number(done)} von ${number(all)}`,
  goesOn: (file: Said) => said`Der Import von ${file} läuft weiter, solange dieser Tab offen bleibt.`,
  stopped: (file: Said, progress: string) => said`Der Import von ${file} hat bei ${progress} angehalten.`,
  codesKept: (file: Said) =>
    said`Der Import von ${file} ist fertig. Seine Einmalcodes bleiben, bis Sie ihn schließen.`,
  finished: (file: Said) => said`Der Import von ${file} ist fertig.`,
  show: 'Anzeigen',
};
