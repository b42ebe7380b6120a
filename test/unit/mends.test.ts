import { expect, test } from 'vitest';
import { checkFaults } from '../thief/faults.ts';
import { MENDS } from '../thief/mends.ts';

/** The search for a thief's ways takes minutes: it need not begin for a text that has changed. */
test.each(Object.entries(MENDS))('the mend %s is in the sources as the search takes it out', (_, { out }) => {
  expect(() => checkFaults(out)).not.toThrow();
});
