import { afterAll, describe, expect, test } from 'vitest';
import { FAULTS } from '../events/faults.ts';
import { killInCancels, OF_CANCEL } from '../events/kills.ts';
import { byName, cancel, createAccounts } from '../events/load.ts';
import { isGood, rehearse, tallyOf } from '../events/rehearse.ts';
import { type Delivery, openStage } from '../events/stage.ts';
import { holds, isInOrder, tally } from '../events/tally.ts';
import { noted } from './service.ts';

const stage = await openStage();
noted(stage.service().token);
afterAll(stage.close);

describe('no committed cancel is lost, and no event invented', () => {
  const kindOf = (name: string) => FAULTS.filter(({ fault }) => fault === name);

  test.each(kindOf('both, by chance'))('while DynamoDB and the bus fail: $fault', async (kind) => {
    const outcome = await rehearse(stage, kind, 80);
    expect(outcome, JSON.stringify(outcome)).toSatisfy(isGood);
    expect(outcome.committed).toBeGreaterThan(20);
    expect(outcome.duplicates).toBeGreaterThan(0);
  });

  test('where the instance is killed before and after the transaction', async () => {
    const steps = OF_CANCEL.filter(({ operation }) => operation === 'TransactWriteItems');
    const outcomes = await killInCancels(stage, 24, steps);
    expect(outcomes).toHaveLength(2);
    for (const outcome of outcomes) {
      expect(outcome, JSON.stringify(outcome)).toSatisfy(isGood);
      expect(outcome.other).toBeGreaterThan(0);
    }
  });

  test('where twenty ask at once for one account, five times', async () => {
    const accounts = await createAccounts(stage.table, 'raced', 5);
    // The first has the functions start; the others find them waiting.
    for (const account of accounts)
      await Promise.all(Array.from({ length: 20 }, () => cancel(stage.service(), account)));
    expect(accounts).toMatchObject(accounts.map(() => ({ cancels: 20, ok: 20, changed: 1 })));
    expect(await tallyOf(stage, 'races', accounts)).toMatchObject({
      committed: 5,
      delivered: 5,
      ids: 5,
      invented: 0,
    });
  });
});

describe('the tally notices', () => {
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
    ['an event that comes once', of(cancelled, event()), { ids: 1, duplicates: 0 }],
    ['an event that comes twice', of(cancelled, event(), event()), { ids: 1, duplicates: 1 }],
  ])('nothing in %s', (_, row, expected) => {
    expect(row).toMatchObject({ committed: 1, lost: 0, invented: 0, ...expected });
    expect(row).toSatisfy(holds);
  });

  test.each([
    ['a cancel without an event', of(cancelled), { lost: 1, invented: 0 }],
    ['a cancel that was answered, and is not there', of(active), { lost: 1, invented: 0 }],
    ['an event without a cancel', of(active, event()), { invented: 1 }],
    ['a second id', of(cancelled, event(), event({ id: '2' })), { lost: 0, invented: 1, ids: 2 }],
    [
      'another content under one id',
      of(cancelled, event(), event({ cancelled_at: '13:00' })),
      { invented: 1 },
    ],
    [
      'an event of another time than the table has',
      of(cancelled, event({ cancelled_at: '13:00' })),
      { invented: 1 },
    ],
    ['an event of another kind', of(cancelled, event({}, 'user_reactivate')), { invented: 1 }],
    ['an event of another account', of(cancelled, event({ userid: 'eve-id' })), { invented: 1 }],
    ['a change that only the table has', of({ ...cancelled, transitions: 2 }, event()), { lost: 1 }],
  ])('%s', (_, row, expected) => {
    expect(row).toMatchObject(expected);
    expect(row).not.toSatisfy(holds);
  });

  test('an event that is left', () => {
    expect(tally('', [ada], [cancelled], [event()], [event()])).not.toSatisfy(holds);
  });

  test.each<[string, string[], boolean]>([
    ['the oldest first', ['1', '2'], true],
    ['others in between, and again', ['0', '1', '3', '2', '1'], true],
    ['the youngest first', ['2', '1'], false],
    ['one missing', ['1'], false],
  ])('the order of what waited: %s', (_, came, expected) => {
    expect(
      isInOrder(
        ['1', '2'],
        came.map((id) => event({ id })),
      ),
    ).toBe(expected);
  });
});
