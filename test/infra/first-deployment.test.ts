import { expect, test } from 'vitest';
import { CHECKS } from '../../infra/first-deployment/checks.ts';
import { readRecording } from '../../infra/first-deployment/record.ts';
import { awsTable, hasRunOnAws } from '../../infra/first-deployment/tables.ts';

const PLACE = { date: '2026-12-01', commit: '0'.repeat(40), region: 'eu-central-1', isEmulated: false };
const shown = (id: string, output: string) => ({ id, output, errors: '', seconds: 1 });
const recordingOf = (...lines: readonly object[]) => lines.map((line) => JSON.stringify(line)).join('\n');

test('a recording has the last run of each check, in the order of the checks', () => {
  const text = recordingOf(
    PLACE,
    shown('grants', '3\n'),
    shown('deployed', 'CREATE_COMPLETE\n'),
    shown('grants', '0\n'),
  );
  expect(readRecording(text)).toEqual({
    ...PLACE,
    checks: [shown('deployed', 'CREATE_COMPLETE\n'), shown('grants', '0\n')],
  });
});

test.each([
  ['is empty', '', 1],
  ['has no place', recordingOf(shown('grants', '0')), 1],
  ['has an unknown check', recordingOf(PLACE, shown('grant', '0')), 2],
  ['is no JSON', `${recordingOf(PLACE)}\nok  deployed`, 2],
])('a recording that %s is refused with its line', (_, text, line) => {
  expect(() => readRecording(text)).toThrow(`Line ${line} is not of a recording`);
});

test('a part has run on AWS once all of its checks printed what they must', () => {
  const deployed = shown('deployed', 'UPDATE_COMPLETE\n');
  const recording = { ...PLACE, checks: [deployed, shown('resources', '[]\n')] };
  expect(hasRunOnAws('template', recording)).toBe(true);
  expect(hasRunOnAws('template', { ...PLACE, checks: [deployed] })).toBe(false);
  const failed = {
    ...PLACE,
    checks: [deployed, shown('resources', '[["AWS::SQS::Queue","DELETE_FAILED"]]\n')],
  };
  expect(hasRunOnAws('template', failed)).toBe(false);
  expect(hasRunOnAws('template', null)).toBe(false);
});

test('the page says that nothing has run on AWS until a recording is read', () => {
  expect(awsTable(null)).toContain('**Nothing has run on AWS**');
});

test('the page has each check with its result and the last line of its output', () => {
  const checks = [shown('deployed', 'CREATE_COMPLETE\n'), shown('grants', 'a line\n3 | `4`\n')];
  const [head, rows] = awsTable({ ...PLACE, checks }) as Exclude<ReturnType<typeof awsTable>, string>;
  expect(head[0]).toBe('On AWS, eu-central-1, 2026-12-01, commit `000000000000`');
  expect(rows).toHaveLength(CHECKS.length);
  expect(rows[0]).toEqual(['`deployed`', 'as expected: `CREATE_COMPLETE`']);
  expect(rows.find(([id]) => id === '`grants`')?.[1]).toBe("**differs**: `3 \\| '4'`");
  expect(rows.find(([id]) => id === '`replay`')?.[1]).toBe('did not run');
});

test.each([
  ['service', ' Test Files  20 passed (20)\n      Tests  296 passed (296)\n', true],
  ['service', '      Tests  1 failed | 295 passed (296)\n', false],
  ['service', '      Tests  295 passed | 1 skipped (296)\n', false],
  ['alarms', `ALARM\n${'Successfully executed action arn\n'.repeat(3)}`, true],
  ['alarms', `OK\n${'Successfully executed action arn\n'.repeat(3)}`, false],
  ['grants', '10\n', false],
  ['doctor', 'ok  status\nstatus 1\n', false],
  ['replay', 'state  COMPLETED\n1\n', true],
  ['replay', 'state  COMPLETED\n0\n', false],
])('%s judges %j', (id, output, isExpected) => {
  expect(CHECKS.find((check) => check.id === id)?.expect.test(output)).toBe(isExpected);
});
