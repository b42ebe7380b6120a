import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { policiesOf } from '#infra/aws/policies';
import { holdersOfPowers } from '#infra/powers';
import { powersTable, textOf } from '../../infra/docs.ts';
import { STALE } from '../stale.ts';
import { EVERY_OPTION, inApp } from './synth.ts';

const standard = inApp({}, (stack) => policiesOf(stack));

test('functions have the same powers in every stage', () => {
  // The options include those of prod.
  const every = inApp(EVERY_OPTION, (stack) => policiesOf(stack));
  expect(holdersOfPowers(every)).toEqual(holdersOfPowers(standard));
});

test('each power has few holders, except reading accounts', () => {
  const common = holdersOfPowers(standard).filter(([, { length }]) => length > 20);
  expect(common.map(([power]) => power)).toEqual(['read any account']);
});

test('the page of security lists the holders of each power', () => {
  const part = `<!-- powers -->\n\n${textOf(powersTable(standard))}\n\n<!-- /powers -->`;
  expect(readFileSync('lib/auth/README.md', 'utf8'), STALE.docs).toContain(part);
});
