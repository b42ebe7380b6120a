import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type AlarmProperties, statesOf } from '#infra/aws/monitoring/evaluation';
import { MONTHS, monthOf, VOLUMES } from '#infra/aws/monitoring/volumes';
import { byId, firingsIn, volumesTable } from '#infra/aws/monitoring/volumes-table';
import { textOf } from '../../infra/docs.ts';
import { STALE } from '../stale.ts';
import { synthesize } from './synth.ts';

const alarms = synthesize()
  .of('AWS::CloudWatch::Alarm')
  .map(({ Properties }) => Properties as unknown as AlarmProperties);
const all = byId(alarms);
const propertiesOf = (id: string) => all.get(id)?.alarm as AlarmProperties;

test('each alarm has its smallest event', () => {
  expect(Object.keys(VOLUMES).sort()).toEqual([...all.keys()].sort());
});

test.each(Object.entries(VOLUMES))(
  'the alarm %s fires for its smallest event, and not for one next to it',
  (id, { fires, ignores }) => {
    expect(statesOf(propertiesOf(id), fires)).toContain('ALARM');
    for (const minutes of ignores) expect(statesOf(propertiesOf(id), minutes)).not.toContain('ALARM');
  },
);

test('probe-failed lacks data, which pages, when no function logs anything', () => {
  const silent = { Probes: [1, 1, undefined, undefined, undefined] };
  expect(statesOf(propertiesOf('probe-failed'), silent).at(-1)).toBe('INSUFFICIENT_DATA');
});

test.each(Object.entries(MONTHS))('a %s month with a failing client pages nobody', (_, users) => {
  const month = monthOf(users);
  // In three times of a night, the client fails more often than all else together.
  const worst = month['5xx']?.filter((errors = 0, minute) => errors >= 3 && month['Count']?.[minute] === 5);
  expect(worst?.length).toBe(60);
  const paged = Object.entries(firingsIn(month, alarms)).filter(
    ([id, times]) => times > 0 && all.get(id)?.severity !== 'ticket',
  );
  expect(paged).toEqual([]);
});

test('an outage in a quiet night pages by the probe', () => {
  const dead = { Probes: [1, 1, 1, 0, 0, 0], Count: Array(6).fill(2), '5xx': [0, 0, 0, 2, 2, 2] };
  expect(firingsIn(dead, alarms)).toMatchObject({ outage: 1, 'probe-failed': 1, 'server-errors': 0 });
});

test('a fault that few users of a quiet month meet is a ticket', () => {
  const fault = { '5xx': Array(60).fill(1), Count: Array(60).fill(4) };
  expect(firingsIn(fault, alarms)).toMatchObject({ outage: 0, 'some-errors': 1 });
});

test('the page of volumes lists the smallest event and the firings of each alarm', () => {
  const part = `<!-- alarm-volumes -->\n\n${textOf(volumesTable(alarms))}\n\n<!-- /alarm-volumes -->`;
  expect(readFileSync('infra/aws/monitoring/volumes.md', 'utf8'), STALE.docs).toContain(part);
});
