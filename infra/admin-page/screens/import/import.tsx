import { importing } from '../../import/run.ts';
import { Choose } from './choose.tsx';
import { Progress } from './progress.tsx';

/** The screen that creates the accounts of a file: it prepares an import, or shows the one that is open. */
export function Import() {
  const run = importing.value;
  return run ? <Progress run={run} /> : <Choose />;
}
