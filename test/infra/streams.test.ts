import fc from 'fast-check';
import { expect, test } from 'vitest';
import { functionNameOf } from '#infra/aws/function';
import { policiesOf } from '#infra/aws/policies';
import { isAllowed } from '#infra/policy';
import { functionOf } from '#lib/audit/streams';
import { functions } from '#lib/routes';
import { inApp } from './synth.ts';

const INSTANCE = 'core-account';
const names = functions.map(({ id }) => functionNameOf(INSTANCE, id));

test('the name of a log stream has the ID of its function', () => {
  const found = names.map((name) => functionOf(INSTANCE, `2026/11/20/${name}[$LATEST]0f2b6c9e`));
  expect(found).toEqual(functions.map(({ id }) => id));
});

test('a role can write no stream whose name has the ID of another function', () => {
  const policies = inApp({}, (stack) => policiesOf(stack));
  const group = `arn:\${AWS::Partition}:logs:\${AWS::Region}:\${AWS::AccountId}:log-group:\${AWS::Logs::LogGroup}`;
  const writersOf = (stream: string) => {
    const request = { action: 'logs:PutLogEvents', resource: `${group}:log-stream:${stream}`, context: {} };
    return Object.keys(policies).filter((id) => isAllowed(policies[id] ?? [], request));
  };
  const parts = ['2026/11/20', '/', 'x', '[', '[$LATEST]0', ...names.map((name) => `/${name}[`)];
  const dated = fc.constantFrom('2026/11/20', 'x/y');
  const own = fc.constantFrom(...names.map((name) => `/${name}[`));
  const rest = fc.array(fc.constantFrom(...parts), { maxLength: 4 }).map((all) => all.join(''));
  const streams = fc.tuple(dated, own, rest).map((all) => all.join(''));
  let attributed = 0;
  fc.assert(
    fc.property(streams, (stream) => {
      const id = functionOf(INSTANCE, stream);
      if (id === undefined) return;
      attributed++;
      expect(writersOf(stream)).toEqual([id]);
    }),
    { numRuns: 300 },
  );
  expect(attributed).toBeGreaterThan(20);
});
