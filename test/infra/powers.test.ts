import { expect, test } from 'vitest';
import { policiesOf } from '#infra/aws/policies';
import { holdersOfPowers } from '#infra/powers';
import { EVERY_OPTION, inApp } from './synth.ts';

// The table of lib/auth/README.md has the holders of each power; test/infra/docs.test.ts compares it.
test('the powers of functions are the same in every stage, and all but reading accounts have few holders', () => {
  // The options include those of prod.
  const [standard = [], every] = [{}, EVERY_OPTION].map((context) =>
    holdersOfPowers(inApp(context, (stack) => policiesOf(stack))),
  );
  expect(every).toEqual(standard);
  const common = standard.filter(([, { length }]) => length > 20).map(([power]) => power);
  expect(common).toEqual(['read any account']);
});
