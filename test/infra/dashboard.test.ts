import { expect, it } from 'vitest';
import { GATEWAY_LOG, LOG_METRICS } from '#infra/aws/monitoring/log-metrics';
import { functions } from '#lib/routes';
import { functionOf, render, synthesize } from './synth.ts';

interface Widget {
  readonly type: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly properties: {
    readonly title?: string;
    readonly markdown?: string;
    readonly alarms?: readonly string[];
    readonly metrics?: readonly unknown[];
  };
}

const stack = synthesize();
const dashboard = stack.one('AWS::CloudWatch::Dashboard');
const { widgets } = JSON.parse(render(dashboard.Properties['DashboardBody'])) as { widgets: Widget[] };
const nameOf = ({ properties: { title, markdown } }: Widget) => title ?? markdown ?? '';
const text = JSON.stringify(widgets);

/** Units of height that a screen shows at once. */
const FIRST_SCREEN = 14;

it('no two widgets overlap, and all stand within 24 columns', () => {
  const taken = new Map<string, string>();
  for (const widget of widgets) {
    expect(widget.x + widget.width, nameOf(widget)).toBeLessThanOrEqual(24);
    for (let x = widget.x; x < widget.x + widget.width; x++)
      for (let y = widget.y; y < widget.y + widget.height; y++) {
        expect(taken.get(`${x},${y}`), `${nameOf(widget)} stands on`).toBeUndefined();
        taken.set(`${x},${y}`, nameOf(widget));
      }
  }
  const bottom = Math.max(...widgets.map(({ y, height }) => y + height));
  expect(taken.size, 'there is no gap').toBe(24 * bottom);
});

it('the first screen says whether it is well: alarms, requests, 5xx, p99, logins, pending events', () => {
  const first = widgets.filter(({ y, height }) => y + height <= FIRST_SCREEN);
  const second = widgets.findIndex(({ properties }) => properties.markdown === '# Functions, by noun');
  expect(widgets.slice(0, second)).toEqual(first);
  const shown = JSON.stringify(first);
  for (const part of [
    '"Count"',
    '"5xx"',
    '"p99"',
    '"FailedLogins"',
    '"OldestPendingEvent"',
    '"EventsSetAside"',
  ])
    expect(shown).toContain(part);
  const [status] = first.filter(({ type }) => type === 'alarm');
  const alarms = stack.of('AWS::CloudWatch::Alarm').map(({ id }) => `\${${id}.Arn}`);
  expect([...(status?.properties.alarms ?? [])].sort()).toEqual(alarms.sort());
});

it.each(functions)('$id is shown with its invocations, duration, errors and throttles', ({ id }) => {
  const name = `\${${functionOf(stack, id).id}}`;
  for (const metric of ['Invocations', 'Duration', 'Errors', 'Throttles'])
    expect(text).toContain(`["AWS/Lambda","${metric}","FunctionName","${name}"`);
});

it('every metric that log lines make is shown, of every route', () => {
  for (const { name, log, dimensions } of LOG_METRICS) {
    expect(text).toContain(`["CoreAccount/core-account","${name}"`);
    if (dimensions && log !== GATEWAY_LOG)
      expect(text).toMatch(new RegExp(`"${name}",[^\\]]*"Route","${log}"`));
  }
});

it('the table is shown with its throttled requests and system errors', () => {
  for (const metric of ['ThrottledRequests', 'SystemErrors'])
    expect(text).toContain(`["AWS/DynamoDB","${metric}"`);
});
