import { describe, expect, it, test } from 'vitest';
import { BY_USE, FREE, floorOf, logMetrics, scheduled, unpriced } from '#infra/cost/floor';
import type { Measured } from '#infra/cost/measured';
import { ASSUMPTIONS, PRICES, USAGE } from '#infra/cost/prices';
import { costReport, type Findings, figuresOf, memoryReport } from '#infra/cost/report';
import { deployedBy, type Template } from '#infra/cost/template';
import { APP_ID } from '#lib/environment';
import { relayOutbox } from '#lib/outbox/jobs';
import { contracts, functions, memoryOf } from '#lib/routes';
import { EVERY_OPTION, synthesize } from './synth.ts';

const templateOf = (context = {}): Template => JSON.parse(synthesize(context).text);
const template = templateOf();
const deployed = deployedBy(template, APP_ID);

const measured = (id: string): Measured => ({
  id,
  cpuMs: 5,
  loadCpuMs: 200,
  firstCpuMs: 30,
  peakMb: 90,
  reads: 1,
  writes: 2,
  roundTrips: 2,
  events: 0,
  logBytes: 300,
  logLines: 1,
  auditBytes: 0,
  auditLines: 0,
  answerBytes: 400,
});

const ping = measured('system.ping');
const findings: Findings = {
  parts: {
    endpoints: contracts.map(({ id }) => measured(id)),
    sweep: measured(relayOutbox.id),
    authentication: { session: ping, token: { ...ping, reads: 2 }, activity: { ...ping, writes: 4 } },
  },
  template,
  deployed,
  assumed: ASSUMPTIONS,
  machine: 'none',
  measuredAt: '2026-01-01',
};

test.each([
  ['without options', {}],
  ['with every option', EVERY_OPTION],
])('every kind of resource has a price or is known to be free, %s', (_, context) => {
  expect(unpriced(templateOf(context))).toEqual([]);
});

test('a kind that nobody has told of is found', () => {
  const { Resources } = template;
  expect(unpriced({ Resources: { ...Resources, Own: { Type: 'AWS::EC2::NatGateway' } } })).toEqual([
    'AWS::EC2::NatGateway',
  ]);
});

test('what is paid for by use is not free, and names prices that there are', () => {
  for (const [type, prices] of Object.entries(BY_USE)) {
    expect(FREE).not.toContain(type);
    for (const name of prices) expect(PRICES).toHaveProperty(name);
  }
});

describe('the floor is counted in the template', () => {
  const unitsOf = (of: Template) =>
    Object.fromEntries(floorOf(of, PRICES).map(({ price, units }) => [price, units]));

  it('alarms by their metrics, dashboards, secrets, metrics of what runs by the clock', () => {
    expect(unitsOf(template)).toEqual({ alarmMetric: 28, dashboard: 1, secret: 1, customMetric: 2 });
  });

  it('one alarm more on two metrics and one on its own metric cost three times the price', () => {
    const metric = { MetricStat: {} };
    const more = {
      Two: {
        Type: 'AWS::CloudWatch::Alarm',
        Properties: { Metrics: [{ Expression: 'a+b' }, metric, metric] },
      },
      One: { Type: 'AWS::CloudWatch::Alarm', Properties: { MetricName: 'Errors' } },
    };
    expect(unitsOf({ Resources: { ...template.Resources, ...more } })['alarmMetric']).toBe(31);
  });

  it('metrics of log lines by their dimensions: two outcomes and one of cold starts by route, and seven', () => {
    expect(logMetrics(template)).toEqual({ idle: 2, most: contracts.length * 3 + 7 });
  });

  it('the sweep runs every minute', () => {
    expect(scheduled(template, 60).map(({ runs }) => runs)).toEqual([60]);
  });
});

describe('what is deployed', () => {
  it('has the memory of the contracts, on arm64', () => {
    for (const definition of functions) expect(deployed.memoryOf(definition.id)).toBe(memoryOf(definition));
    expect(deployed.isArm).toBe(true);
  });

  it('keeps logs for a month and the audit log for a year, in a stage for as long as that says', () => {
    expect(deployed).toMatchObject({ logDays: 30, auditDays: 365 });
    expect(deployedBy(templateOf({ stage: 'prod' }), APP_ID).logDays).toBe(365);
  });

  it('writes a line of JSON a request at the gateway', () => {
    expect(deployed.gatewayLogBytes).toBeGreaterThan(200);
    expect(deployed.gatewayLogBytes).toBeLessThan(400);
  });
});

describe('the report', () => {
  const figures = figuresOf(findings);
  const texts = [costReport(figures), memoryReport(figures, findings)];

  it('has a row for each endpoint', () => {
    for (const text of texts)
      for (const { id } of contracts) expect(text).toMatch(new RegExp(`^${id.replace('.', '\\.')} `, 'm'));
  });

  it('fits a terminal of 100 columns', () => {
    for (const line of texts.join('\n').split('\n')) expect(line.length, line).toBeLessThanOrEqual(100);
  });

  it('has a month for each number of users, the floor of all metrics included', () => {
    expect(figures.months.map(({ users }) => users)).toEqual([...USAGE.users]);
    const idle = figures.floor.reduce((total, { usd }) => total + usd, figures.sweep.usd);
    const [month] = figures.months;
    expect(month?.floor).toBeCloseTo(idle + (figures.logMetrics.most - figures.logMetrics.idle) * 0.3, 6);
  });

  it('uses endpoints only that there are', () => {
    const ids: string[] = contracts.map(({ id }) => id);
    for (const id of Object.keys({ ...USAGE.perUser, ...USAGE.perMonth })) expect(ids).toContain(id);
  });
});
