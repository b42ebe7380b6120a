import { number } from '../../locale.ts';
import { type Said, said } from '../../said.ts';

/** An import on other screens. */
export const ongoing = {
  progress: (done: number, all: number) => `${number(done)} of ${number(all)}`,
  goesOn: (file: Said) => said`The import of ${file} goes on while this tab stays open.`,
  stopped: (file: Said, progress: string) => said`The import of ${file} has stopped at ${progress}.`,
  codesKept: (file: Said) =>
    said`The import of ${file} is finished. Its one-time codes are kept until you close it.`,
  finished: (file: Said) => said`The import of ${file} is finished.`,
  show: 'Show',
};
