/** Environment of a run of all cases: of the slow tests, of mutants, and on the emulator. */
export const WHOLE = { MATRIX: 'whole' };

const isWhole = process.env['MATRIX'] === WHOLE.MATRIX;

/**
 * The cases of a matrix, in a file `*.matrix.test.ts`. The slow tests run all of them; `npm test` runs those that stand for the
 * others.
 *
 * @throws Error if none does
 */
export function matrix<Case>(all: readonly Case[], standsForOthers: (one: Case) => boolean): readonly Case[] {
  const cases = all.filter((one) => isWhole || standsForOthers(one));
  // A list without cases would be a test that cannot fail.
  if (cases.length === 0) throw new Error('No case of the matrix stands for the others');
  return cases;
}
