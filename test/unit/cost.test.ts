import { expect, test } from 'vitest';
import { monthCosts, requestCosts } from '#infra/cost/cost';
import budgets from '../../infra/cost/budgets.json' with { type: 'json' };
import data from '../../infra/cost/prices.json' with { type: 'json' };

const { prices } = data;

test('requestCosts adds the list prices of the units of a lock', () => {
  const [, rows] = requestCosts();
  const [, gateway, run, table, logs, total] = rows.find(([name]) => name === '`account.lock`') ?? [];
  const { reads, writes } = budgets['account.lock'];
  // One request, and an answer of 0.8 kB.
  const sent = prices.httpApiRequest.usd + 0.8 * prices.dataOut.usd;
  expect([gateway, table]).toEqual([
    sent.toFixed(2),
    (reads * prices.tableRead.usd + writes * prices.tableWrite.usd).toFixed(2),
  ]);
  expect(Number(total)).toBeCloseTo(Number(gateway) + Number(run) + Number(table) + Number(logs), 1);
});

test('monthCosts charges users of a hosted service tier by tier', () => {
  const [, rows] = monthCosts();
  const [, few, many] = rows.find(([name]) => name?.startsWith('Amazon Cognito Lite')) as string[];
  expect([few, many]).toEqual(['0.00', (90_000 * 0.0055 + 900_000 * 0.0046).toFixed(2)]);
});
