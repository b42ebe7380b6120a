import { afterAll, describe, expect, test } from 'vitest';
import { FAULTS } from '../events/faults.ts';
import { killInCancels, killInSweeps, OF_CANCEL, OF_SWEEP } from '../events/kills.ts';
import { byName, cancel, createAccounts } from '../events/load.ts';
import { isGood, type Outcome, rehearse, tallyOf } from '../events/rehearse.ts';
import { type Delivery, openStage } from '../events/stage.ts';
import { holds, isInOrder, tally } from '../events/tally.ts';
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

describe('no committed cancel is lost and no event is invented', () => {
  test.each(faults)('while $fault', async (kind) => check(await rehearse(stage, kind, kind.slow ? 24 : 80)));

  test.each(steps)('when the instance is killed $when $operation', async (step) => {
    const outcome = await killInCancels(stage, 24, step);
    check(outcome);
    expect(outcome.ok).toBeLessThan(outcome.asked);
  });

  test('when the instance is killed in sweeps', async () => {
    check(await killInSweeps(stage, 24, sweepSteps));
  });

  test('when twenty requests at once cancel one account', async () => {
    const accounts = await createAccounts(stage.table, 'raced', 5);
    // The first account starts the functions; the others find them waiting.
    for (const account of accounts)
      await Promise.all(Array.from({ length: 20 }, () => cancel(stage.service(), account)));
    expect(accounts).toMatchObject(accounts.map(() => ({ cancels: 20, ok: 20, changed: 1 })));
    const row = await tallyOf(stage, 'races', accounts);
    expect(row).toMatchObject({ committed: 5, delivered: 5, ids: 5, invented: 0 });
  });
});

describe('the tally', () => {
  const ada = { ...byName('ada'), cancels: 1, ok: 1, changed: 1 };
  const cancelled = { id: 'ada-id', isactive: false, transitions: 1, cancelled_at: '12:00' };
  const active = { id: 'ada-id', isactive: true, transitions: 0 };
  const event = (more: Partial<Delivery['detail']> = {}, type = 'user_cancel'): Delivery => ({
    type,
    detail: { id: '1', username: 'ada', userid: 'ada-id', transition: 1, cancelled_at: '12:00', ...more },
  });
  const of = (state: typeof cancelled | typeof active, ...deliveries: Delivery[]) =>
    tally('', [ada], [state], deliveries, []);

  test.each([
    ['an event that comes once', of(cancelled, event())],
    ['an event that comes twice', of(cancelled, event(), event())],
  ])('accepts %s', (_, row) => {
    expect(row).toSatisfy(holds);
  });

  test.each([
    ['a cancel without an event', of(cancelled), { lost: 1, invented: 0 }],
    ['an answered cancel that the table does not have', of(active), { lost: 1, invented: 0 }],
    ['an event without a cancel', of(active, event()), { invented: 1 }],
    ['a second id', of(cancelled, event(), event({ id: '2' })), { lost: 0, invented: 1, ids: 2 }],
    ['another time than the table has', of(cancelled, event({ cancelled_at: '13:00' })), { invented: 1 }],
    ['another type', of(cancelled, event({}, 'user_reactivate')), { invented: 1 }],
    ['another account', of(cancelled, event({ userid: 'eve-id' })), { invented: 1 }],
    ['a change that only the table has', of({ ...cancelled, transitions: 2 }, event()), { lost: 1 }],
    ['a waiting event', tally('', [ada], [cancelled], [event()], [event()]), { pending: 1 }],
  ])('reports %s', (_, row, expected) => {
    expect(row).toMatchObject(expected);
    expect(row).not.toSatisfy(holds);
  });

  test.each<[string[], boolean]>([
    [['1', '2'], true],
    [['0', '1', '3', '2', '1'], true],
    [['2', '1'], false],
    [['1'], false],
  ])('compares the order %j with 1, 2: %s', (ids, expected) => {
    const deliveries = ids.map((id) => event({ id }));
    expect(isInOrder(['1', '2'], deliveries)).toBe(expected);
  });
});
