import { describe, expect, test } from 'vitest';
import { billedMs, coldMs, isEnough, warmMs } from '#infra/cost/duration';
import type { Measured } from '#infra/cost/measured';
import { ASSUMPTIONS, PRICES, type PriceName, type Prices } from '#infra/cost/prices';
import {
  type Deployed,
  functionMillion,
  PLATFORM_LINES,
  requestMillion,
  tracedShare,
} from '#infra/cost/request';

const NOTHING: Measured = {
  id: 'system.ping',
  cpuMs: 0,
  loadCpuMs: 0,
  firstCpuMs: 0,
  peakMb: 100,
  reads: 0,
  writes: 0,
  roundTrips: 0,
  events: 0,
  logBytes: 0,
  logLines: 0,
  auditBytes: 0,
  auditLines: 0,
  answerBytes: 0,
};

const assumed = {
  ...ASSUMPTIONS,
  tableRoundTripMs: 4,
  eventMs: 15,
  cpuScale: 0.5,
  fullCpuMb: 1769,
  coldShare: 0.01,
  coldExtraMs: 100,
  headroom: 1.25,
  tracesPerSecond: 1,
  tracedShare: 0.05,
  archivedShare: 0.5,
  logLineBytes: 26,
  headerBytes: 500,
  collectMs: 100,
};

/** All prices are 0 but those told, each for one unit. */
const only = (prices: Partial<Record<PriceName, number>>) =>
  Object.fromEntries(
    Object.entries(PRICES).map(([name, price]) => [
      name,
      { ...price, usd: prices[name as PriceName] ?? 0, per: 1 },
    ]),
  ) as Prices;

const deployed: Deployed = {
  memoryOf: () => 1024,
  isArm: true,
  gatewayLogBytes: 300,
  logDays: 365,
  auditDays: 730,
};

describe('how long a function takes', () => {
  const work = { ...NOTHING, cpuMs: 20, loadCpuMs: 200, firstCpuMs: 100, roundTrips: 2, events: 1 };

  // 20 ms of this machine are 10 of Lambda; it waits 2 * 4 + 15.
  test.each([
    [1769, 10 + 23, 150 + 23 + 100],
    [3538, 10 + 23, 150 + 23 + 100],
    [884.5, 20 + 23, 300 + 23 + 100],
    [442.25, 40 + 23, 600 + 23 + 100],
  ])('with %d MB', (memory, warm, cold) => {
    expect(warmMs(work, memory, assumed)).toBeCloseTo(warm, 6);
    expect(coldMs(work, memory, assumed)).toBeCloseTo(cold, 6);
    expect(billedMs(work, memory, assumed)).toBeCloseTo(0.99 * warm + 0.01 * cold, 6);
  });

  test('is billed by whole milliseconds', () => {
    const short = { ...NOTHING, cpuMs: 0.2 };
    expect(billedMs(short, 1769, { ...assumed, coldShare: 0 })).toBe(1);
  });

  test.each([
    [119, false],
    [120, true],
  ])('memory of %i MB is enough for a peak of 100 MB and a quarter more: %s', (memory, expected) => {
    expect(isEnough({ peakMb: 100 }, memory, assumed)).toBe(expected);
  });
});

describe('what a million requests cost', () => {
  const total = (measured: Partial<Measured>, prices: Partial<Record<PriceName, number>>) =>
    requestMillion({ ...NOTHING, ...measured }, deployed, only(prices), { ...assumed, coldShare: 0 }, 1);
  const platform = PLATFORM_LINES.join('').length;

  test.each<
    [string, Partial<Measured>, Partial<Record<PriceName, number>>, keyof ReturnType<typeof total>, number]
  >([
    ['requests of the gateway', {}, { httpApiRequest: 2e-6 }, 'gateway', 2],
    ['bytes that leave, headers included', { answerBytes: 500 }, { dataOut: 0.09 }, 'gateway', 0.09],
    ['requests of the function', {}, { lambdaRequest: 2e-7 }, 'function', 0.2],
    ['GB-seconds', { roundTrips: 25 }, { lambdaArm: 0.00001 }, 'function', 1],
    ['events', { events: 1 }, { event: 1e-6 }, 'function', 1],
    ['read units', { reads: 1.5 }, { tableRead: 1e-6 }, 'table', 1.5],
    ['write units', { writes: 6 }, { tableWrite: 1e-6 }, 'table', 6],
    [
      'log bytes of the function, of Lambda and of the gateway',
      { logBytes: 200, logLines: 1 },
      { logIngestion: 1 },
      'logs',
      (200 + platform + 300 + (1 + PLATFORM_LINES.length + 1) * 26) / 1000,
    ],
    ['traces', {}, { trace: 5e-6 }, 'logs', 5],
    [
      'an audit line, which a function copies',
      { auditBytes: 300, auditLines: 1 },
      { lambdaArm: 0.00001, lambdaRequest: 0 },
      'logs',
      1,
    ],
  ])('%s', (_, measured, prices, by, expected) => {
    const costs = total(measured, prices);
    expect(costs[by]).toBeCloseTo(expected, 6);
    expect(costs.total).toBeCloseTo(costs.gateway + costs.function + costs.table + costs.logs, 10);
  });

  test('logs are kept for as long as their group says, compressed', () => {
    const bytes = platform + 300 + (PLATFORM_LINES.length + 1) * 26;
    expect(total({}, { logStorage: 1 }).logs).toBeCloseTo((bytes / 1000) * 0.5 * 12, 6);
  });

  test('an x86 function is paid by its own price', () => {
    const prices = only({ lambdaX86: 0.00001 });
    const run = { ...NOTHING, roundTrips: 25 };
    expect(functionMillion(run, 1024, false, prices, { ...assumed, coldShare: 0 })).toBeCloseTo(1, 6);
    expect(functionMillion(run, 1024, true, prices, assumed)).toBe(0);
  });

  test.each([
    [0.5, 1],
    [1, 1],
    [11, 1.5 / 11],
    [101, 6 / 101],
  ])('of %d requests a second the share of %d is traced', (perSecond, expected) => {
    expect(tracedShare(perSecond, assumed)).toBeCloseTo(expected, 10);
  });
});
