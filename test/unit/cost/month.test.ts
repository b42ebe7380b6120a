import { describe, expect, test } from 'vitest';
import type { Measured } from '#infra/cost/measured';
import { idleMonth, monthOf, sweepMonth } from '#infra/cost/month';
import { ASSUMPTIONS, PRICES, type PriceName, type Prices, type UsageModel } from '#infra/cost/prices';
import type { Template } from '#infra/cost/template';

const measured = (id: string, more: Partial<Measured>): Measured => ({
  id,
  cpuMs: 0,
  loadCpuMs: 0,
  firstCpuMs: 0,
  peakMb: 0,
  reads: 0,
  writes: 0,
  roundTrips: 0,
  events: 0,
  logBytes: 0,
  logLines: 0,
  auditBytes: 0,
  auditLines: 0,
  answerBytes: 0,
  ...more,
});

const template: Template = {
  Resources: {
    Sweep: { Type: 'AWS::Lambda::Function', Properties: { LoggingConfig: { LogGroup: { Ref: 'Log' } } } },
    Clock: {
      Type: 'AWS::Events::Rule',
      Properties: {
        ScheduleExpression: 'rate(2 minutes)',
        Targets: [{ Arn: { 'Fn::GetAtt': ['Sweep', 'Arn'] } }],
      },
    },
    Idle: {
      Type: 'AWS::Logs::MetricFilter',
      Properties: { LogGroupName: { Ref: 'Log' }, MetricTransformations: [] },
    },
    Busy: {
      Type: 'AWS::Logs::MetricFilter',
      Properties: { LogGroupName: { Ref: 'Other' }, MetricTransformations: [] },
    },
    Secret: { Type: 'AWS::SecretsManager::Secret' },
  },
};

/** All prices are 0 but those told, each for one unit. */
const only = (prices: Partial<Record<PriceName, number>>) =>
  Object.fromEntries(
    Object.entries(PRICES).map(([name, price]) => [
      name,
      { ...price, usd: prices[name as PriceName] ?? 0, per: 1 },
    ]),
  ) as Prices;

const parts = {
  endpoints: [measured('account.login', { writes: 2 }), measured('account.profile', { writes: 1 })],
  sweep: measured('sweep', { reads: 3 }),
  authentication: { session: measured('ping', { writes: 1 }), activity: measured('ping', { writes: 5 }) },
};
const usage: UsageModel = {
  about: '',
  users: [10],
  perUser: { 'account.login': 2, 'account.profile': 10 },
  perMonth: { 'account.profile': 100 },
};
const deployed = { memoryOf: () => 1024, isArm: true, gatewayLogBytes: 0, logDays: 30, auditDays: 365 };
const assumed = { ...ASSUMPTIONS, activityShare: 0.5, bytesPerUser: 1e9, coldShare: 0, secondsPerMonth: 110 };

/** Of 10 users: 20 logins, 200 profiles. */
const month = (prices: Partial<Record<PriceName, number>>) =>
  monthOf(10, usage, template, parts, deployed, only(prices), assumed);

describe('a month', () => {
  test.each<[string, Partial<Record<PriceName, number>>, Partial<ReturnType<typeof month>>]>([
    [
      'has the requests of its users and of the instance',
      { httpApiRequest: 1 },
      { requests: 220, requestsUsd: 220 },
    ],
    [
      'has writes of requests, and of activity where it is due',
      { tableWrite: 1 },
      { requestsUsd: 240, activity: 400 },
    ],
    ['has storage and recovery of its users', { tableStorage: 2, tableRecovery: 1 }, { storage: 30 }],
    ['has all metrics, and what is there', { customMetric: 1, secret: 0.4 }, { floor: 2.4 }],
    ['has two requests a second, of which one and 5 % are traced', { trace: 1 }, { requestsUsd: 115.5 }],
  ])('%s', (_, prices, expected) => {
    const found = month(prices);
    for (const [name, amount] of Object.entries(expected))
      expect(found[name as keyof typeof found], name).toBeCloseTo(amount, 6);
    expect(found.total).toBeCloseTo(found.floor + found.requestsUsd + found.activity + found.storage, 6);
  });

  test('of an instance that nobody calls has its metrics, its secret and its sweep, each run of it traced', () => {
    expect(sweepMonth(template, parts, deployed, only({ trace: 1 }), assumed)).toBe(21_900);
    expect(sweepMonth(template, parts, deployed, only({ tableRead: 1 }), assumed)).toBe(65_700);
    expect(
      idleMonth(template, parts, deployed, only({ secret: 0.4, customMetric: 0.3 }), assumed),
    ).toBeCloseTo(0.7, 6);
  });

  test('of requests that nobody has measured is not told', () => {
    const other = { ...usage, perUser: { 'account.copy': 1 } };
    expect(() => monthOf(10, other, template, parts, deployed, PRICES, assumed)).toThrow('account.copy');
  });
});
