import { expect, it } from 'vitest';
import { jobs } from '#lib/routes';
import { functionOf, invokersOf, render, synthesize } from './synth.ts';

const stack = synthesize();
const bus = stack.one('AWS::Events::EventBus');
const scheduled = jobs.flatMap(({ id, trigger }) =>
  typeof trigger === 'string' ? [] : [{ id, everyMinutes: trigger.everyMinutes }],
);

const ruleOf = (id: string) => {
  const fn = functionOf(stack, id);
  return stack.of('AWS::Events::Rule').find(({ Properties }) => {
    const [target] = Properties['Targets'] as { Arn: unknown }[];
    return render(target?.Arn) === `\${${fn.id}.Arn}`;
  });
};

it('an instance publishes to a bus of its own, named after it', () => {
  expect(bus.Properties).toMatchObject({ Name: 'core-account' });
});

it('subscribers can replay the events of 90 days', () => {
  expect(stack.one('AWS::Events::Archive').Properties).toMatchObject({
    SourceArn: { 'Fn::GetAtt': [bus.id, 'Arn'] },
    EventPattern: { account: [{ Ref: 'AWS::AccountId' }] },
    RetentionDays: 90,
  });
});

it('there is a schedule for every job that has one and no other', () => {
  expect(scheduled.length).toBeGreaterThan(0);
  expect(stack.of('AWS::Events::Rule')).toHaveLength(scheduled.length);
});

it.each(scheduled)(
  '$id runs every $everyMinutes minutes, started by its own schedule only',
  ({ id, everyMinutes }) => {
    const rule = ruleOf(id);
    expect(rule?.Properties).toMatchObject({
      ScheduleExpression: everyMinutes === 1 ? 'rate(1 minute)' : `rate(${everyMinutes} minutes)`,
      State: 'ENABLED',
    });
    expect(invokersOf(stack, functionOf(stack, id))).toEqual([
      `events.amazonaws.com for \${${rule?.id}.Arn}`,
    ]);
  },
);

it.each(scheduled)('$id is not run again when it fails: its next run is the repetition', ({ id }) => {
  const fn = functionOf(stack, id);
  const config = stack
    .of('AWS::Lambda::EventInvokeConfig')
    .find(({ Properties }) => render(Properties['FunctionName']) === `\${${fn.id}}`);
  expect(config?.Properties).toMatchObject({ MaximumRetryAttempts: 0 });
  expect(ruleOf(id)?.Properties['Targets']).toMatchObject([{ RetryPolicy: { MaximumRetryAttempts: 0 } }]);
});
