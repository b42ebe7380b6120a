import { afterAll, expect, test } from 'vitest';
import { FAULTS } from '../events/faults.ts';
import { killInCancels, killInSweeps, OF_CANCEL, OF_SWEEP } from '../events/kills.ts';
import { cancel, createAccounts } from '../events/load.ts';
import { isGood, type Outcome, rehearse, tallyOf } from '../events/rehearse.ts';
import { openStage } from '../events/stage.ts';
import { noted } from './service.ts';

/** `FAULTS=all` runs every fault and kills at every step, which takes ten minutes. */
const isAll = process.env['FAULTS'] === 'all';
const faults = FAULTS.filter(({ fault }) => isAll || fault === 'both, by chance');
const steps = OF_CANCEL.filter(({ operation }) => isAll || operation === 'TransactWriteItems');
const sweepSteps = OF_SWEEP.filter(
  ({ operation, when }) => isAll || (operation === 'PutEvents' && when === 'after'),
);

const stage = await openStage();
noted(stage.service().token);
afterAll(stage.close);

const check = (outcome: Outcome) => {
  console.log(JSON.stringify(outcome));
  expect(outcome, JSON.stringify(outcome)).toSatisfy(isGood);
  expect(outcome.committed).toBeGreaterThan(0);
};

test.each(faults)('no committed cancel is lost and no event is invented while $fault', async (kind) =>
  check(await rehearse(stage, kind, kind.slow ? 24 : 80)),
);

test.each(steps)(
  'no committed cancel is lost and no event is invented when the instance is killed $when $operation',
  async (step) => {
    const outcome = await killInCancels(stage, 24, step);
    check(outcome);
    expect(outcome.ok).toBeLessThan(outcome.asked);
  },
);

test('no committed cancel is lost and no event is invented when the instance is killed in sweeps', async () => {
  check(await killInSweeps(stage, 24, sweepSteps));
});

test('no committed cancel is lost and no event is invented when twenty requests at once cancel one account', async () => {
  const accounts = await createAccounts(stage.table, 'raced', 5);
  // The first account starts the functions; the others find them waiting.
  for (const account of accounts)
    await Promise.all(Array.from({ length: 20 }, () => cancel(stage.service(), account)));
  expect(accounts).toMatchObject(accounts.map(() => ({ cancels: 20, ok: 20, changed: 1 })));
  const row = await tallyOf(stage, 'races', accounts);
  expect(row).toMatchObject({ committed: 5, delivered: 5, ids: 5, invented: 0 });
});
