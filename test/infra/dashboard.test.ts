import { expect, it } from 'vitest';
import { LOG_METRICS } from '#infra/aws/monitoring/log-metrics';
import { contracts, functions } from '#lib/routes';
import { functionOf, render, synthesize } from './synth.ts';

const stack = synthesize();

interface Widget extends Record<'x' | 'y' | 'width' | 'height', number> {
  readonly type: string;
  readonly properties: { readonly markdown?: string; readonly alarms?: readonly string[] };
}
const { DashboardName, DashboardBody } = stack.one('AWS::CloudWatch::Dashboard').Properties;
const body = render(DashboardBody);
const { widgets } = JSON.parse(body) as { widgets: Widget[] };
const shown = JSON.stringify(widgets);

it('the dashboard is named after the region too, since dashboards are global in an account', () => {
  expect(render(DashboardName)).toBe(`core-account-\${AWS::Region}`);
});

it('the first screen shows alarms, requests, 5xx, p99, logins and pending events', () => {
  const second = widgets.findIndex(({ properties }) => properties.markdown === '# Functions, by noun');
  const first = widgets.slice(0, second);
  expect(first).toEqual(widgets.filter(({ y, height }) => y + height <= 14));
  for (const part of ['Count', '5xx', 'p99', 'FailedLogins', 'OldestPendingEvent', 'EventsSetAside'])
    expect(JSON.stringify(first)).toContain(`"${part}"`);
  const status = first.find(({ type }) => type === 'alarm');
  const kinds = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm'];
  const alarms = kinds.flatMap((kind) => stack.of(kind)).map(({ id }) => `\${${id}.Arn}`);
  expect(status?.properties.alarms?.toSorted()).toEqual(alarms.sort());
});

it('the dashboard shows each metric of functions, logs and the table', () => {
  for (const { id } of functions)
    for (const metric of ['Invocations', 'Duration', 'Errors', 'Throttles'])
      expect(shown).toContain(`["AWS/Lambda","${metric}","FunctionName","\${${functionOf(stack, id).id}}"`);
  for (const { name, dimensions } of LOG_METRICS.filter(({ absent }) => absent === undefined)) {
    expect(shown).toContain(`["CoreAccount/core-account","${name}"`);
    for (const { id } of dimensions ? contracts : [])
      expect(shown).toMatch(new RegExp(`"${name}",[^\\]]*"Route","${id}"`));
  }
  for (const outcome of ['refused', 'failed']) expect(shown).toContain(`"Outcome","${outcome}"`);
  for (const metric of ['ThrottledRequests', 'SystemErrors'])
    expect(shown).toContain(`["AWS/DynamoDB","${metric}"`);
});
