/** Whether all cases of a matrix run: in the slow tests. */
const isWhole = process.env['MATRIX'] === 'whole';

/**
 * The cases of a matrix, in a file `*.matrix.test.ts`. The slow tests run all of them; `npm test` runs those that stand for the
 * others.
 */
export const matrix = <Case>(all: readonly Case[], standsForOthers: (one: Case) => boolean): Case[] =>
  all.filter((one) => isWhole || standsForOthers(one));
