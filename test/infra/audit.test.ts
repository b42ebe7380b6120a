import { describe, expect, it } from 'vitest';
import { collectAudit } from '#lib/audit/jobs';
import { contracts } from '#lib/routes';
import { rotateSigningKey } from '#lib/session/jobs';
import { allGrants } from './grants.ts';
import { functionOf, invokersOf, type Resource, render, synthesize } from './synth.ts';

const stack = synthesize();
const groups = stack.of('AWS::Logs::LogGroup');
const auditLog = groups.find(({ id }) => id.startsWith('AuditLog')) as Resource;
const collector = functionOf(stack, collectAudit.id);
const SOURCES = [...contracts.map(({ id }) => id as string), rotateSigningKey.id];

const groupOf = (id: string) =>
  render((functionOf(stack, id).Properties['LoggingConfig'] as { LogGroup: unknown }).LogGroup);

describe('the audit log', () => {
  it('is a log group of its own, kept for a year, which outlives the stack', () => {
    expect(auditLog.Properties).toEqual({ RetentionInDays: 365 });
    expect(auditLog).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    expect(groups.filter(({ DeletionPolicy }) => DeletionPolicy === 'Retain')).toEqual([auditLog]);
  });

  it('is written to by one function, and read by none', () => {
    const grants = allGrants(stack).filter((grant) => grant.includes(`\${${auditLog.id}.Arn}`));
    expect(grants.sort()).toEqual(
      ['CreateLogStream', 'PutLogEvents'].map((action) => `logs:${action} on \${${auditLog.id}.Arn}`),
    );
  });

  it('is sent the audit lines of every endpoint and of rotations, and nothing else', () => {
    const filters = stack.of('AWS::Logs::SubscriptionFilter').map(({ Properties }) => ({
      from: render(Properties['LogGroupName']),
      to: render(Properties['DestinationArn']),
      of: Properties['FilterPattern'],
    }));
    const expected = SOURCES.map((id) => ({
      from: groupOf(id),
      to: `\${${collector.id}.Arn}`,
      of: '{ $.level = "audit" }',
    }));
    const byGroup = (one: { from: string }, other: { from: string }) => (one.from < other.from ? -1 : 1);
    expect(filters.sort(byGroup)).toEqual(expected.sort(byGroup));
  });

  it('is collected for the log groups of these alone', () => {
    const expected = SOURCES.map((id) => `logs.amazonaws.com for ${groupOf(id).replace('}', '.Arn}')}`);
    expect(invokersOf(stack, collector).sort()).toEqual(expected.sort());
  });
});

it('the logs of the gateway and the bus are named as AWS asks of logs that its services write', () => {
  const names = (of: typeof stack) =>
    of.of('AWS::Logs::LogGroup').flatMap(({ Properties }) => Properties['LogGroupName'] ?? []);
  expect(names(stack)).toEqual(['/aws/vendedlogs/core-account/api', '/aws/vendedlogs/core-account/bus']);
  expect(names(synthesize({ stackName: 'other' }))).toEqual([
    '/aws/vendedlogs/other/api',
    '/aws/vendedlogs/other/bus',
  ]);
});
