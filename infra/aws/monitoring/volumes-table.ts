import { Template } from 'aws-cdk-lib/assertions';
import { ownStack } from '../policies.ts';
import { OUTAGE } from './alarms.ts';
import { type AlarmProperties, anyOf, firings, type Minutes, statesOf } from './evaluation.ts';
import { MONTHS, monthOf, VOLUMES } from './volumes.ts';

/** The properties of alarms in a template. */
type Alarms = readonly (AlarmProperties & { readonly AlarmName?: unknown })[];

const SEVERITY = /-(part|page|ticket)-([\w-]+)$/;

/** Alarms by their ID, with their severity. */
export const byId = (alarms: Alarms) =>
  new Map(
    alarms.map((alarm) => {
      const [, severity = '', id = ''] = SEVERITY.exec(String(alarm.AlarmName)) ?? [];
      return [id, { severity, alarm }] as const;
    }),
  );

/** How often each alarm fires in a month, the one of an outage included. */
export function firingsIn(month: Minutes, alarms: Alarms): Readonly<Record<string, number>> {
  const all = [...byId(alarms)].map(([id, { severity, alarm }]) => ({
    id,
    severity,
    states: statesOf(alarm, month),
  }));
  const parts = all.filter(({ severity }) => severity === 'part').map(({ states }) => states);
  return Object.fromEntries([
    [OUTAGE, firings(anyOf(parts))],
    ...all.map(({ id, states }) => [id, firings(states)] as const),
  ]);
}

/** The table of alarms: the smallest event that each fires for, and how often it fires in each month. */
export function volumesTable(alarms: Alarms) {
  const months = Object.values(MONTHS).map((users) => firingsIn(monthOf(users), alarms));
  const severities = byId(alarms);
  const rows = [OUTAGE, ...severities.keys()].map((id) => [
    `\`${id}\``,
    severities.get(id)?.severity ?? 'page',
    VOLUMES[id]?.smallest ?? 'that of a part',
    ...months.map((month) => `${month[id]}`),
  ]);
  const heads = Object.keys(MONTHS).map((name) => `Fires in a ${name} month`);
  return [['Alarm', 'Severity', 'The smallest event that it fires for', ...heads], rows] as const;
}

if (import.meta.main) {
  const alarms = Template.fromStack(ownStack()).findResources('AWS::CloudWatch::Alarm');
  process.stdout.write(
    JSON.stringify(
      volumesTable(Object.values(alarms).map(({ Properties }) => Properties as AlarmProperties)),
    ),
  );
}
