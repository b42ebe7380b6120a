import { expect, test } from 'vitest';
import { dollars, HOSTED, type Hosted, hostedMonth, PRICES, type Prices } from '#infra/cost/prices';

const price = (usd: number, per: number) => ({ ...PRICES.event, usd, per });

test.each([
  ['for a million', price(1.25, 1_000_000), 3_000_000, 3.75],
  ['for one', price(0.5, 1), 0.2, 0.1],
  ['for ten thousand', price(0.05, 10_000), 60_000, 0.3],
])('a price %s is for that many units', (_, event, units, expected) => {
  expect(dollars({ ...PRICES, event } satisfies Prices, 'event', units)).toBeCloseTo(expected, 10);
});

test('every price names its page, what was read of it, and the day of that or that none is known', () => {
  for (const { page, by, read, usd, per } of [
    ...Object.values(PRICES),
    ...HOSTED.map((one) => ({ ...one, usd: 1, per: 1 })),
  ]) {
    expect(page).toMatch(/^https:\/\//);
    expect(by).not.toBe('');
    expect(read ?? '2026-01-01').toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(usd / per).toBeGreaterThan(0);
  }
});

const service: Hosted = {
  name: 'hosted',
  page: '',
  by: '',
  read: null,
  monthly: 25,
  tiers: [
    { upTo: 100, usd: 0 },
    { upTo: 300, usd: 0.5 },
    { upTo: null, usd: 0.25 },
  ],
};

test.each([
  [50, 25],
  [100, 25],
  [101, 25.5],
  [300, 125],
  [1300, 375],
])('a hosted service asks for %i users, tier by tier, %d', (users, expected) => {
  expect(hostedMonth(service, users)).toBe(expected);
});

test.each([
  ['Amazon Cognito Lite', 10_000, 0],
  ['Amazon Cognito Lite', 1_000_000, 90_000 * 0.0055 + 900_000 * 0.0046],
  ['Amazon Cognito Essentials', 1_000_000, 990_000 * 0.015],
  ['Clerk Pro', 1_000_000, 25 + 50_000 * 0.02 + 900_000 * 0.018],
])('%s asks for %i users %d', (name, users, expected) => {
  const found = HOSTED.find((one) => one.name === name);
  expect(found && hostedMonth(found, users)).toBeCloseTo(expected, 6);
});

test('no tier ends below what the model of use asks about', () => {
  for (const { tiers } of HOSTED) expect(tiers.at(-1)?.upTo ?? 1_000_000).toBeGreaterThanOrEqual(1_000_000);
});
