import { expect, test } from 'vitest';
import { monthCosts, requestCosts } from '#infra/cost/cost';

test('requestCosts adds the list prices of the units of a lock', () => {
  const [, rows] = requestCosts();
  const [, gateway, run, table, logs, total] = rows.find(([name]) => name === '`account.lock`') ?? [];
  // Two reads and nine writes; one request, and an answer of 0.8 kB at 0.09 a GB.
  expect([gateway, table]).toEqual(['1.07', (2 * 0.125 + 9 * 0.625).toFixed(2)]);
  expect(Number(total)).toBeCloseTo(Number(gateway) + Number(run) + Number(table) + Number(logs), 1);
});

test('monthCosts charges users of a hosted service tier by tier', () => {
  const [, rows] = monthCosts();
  const [, few, many] = rows.find(([name]) => name?.startsWith('Amazon Cognito Lite')) as string[];
  expect([few, many]).toEqual(['0.00', (90_000 * 0.0055 + 900_000 * 0.0046).toFixed(2)]);
});
