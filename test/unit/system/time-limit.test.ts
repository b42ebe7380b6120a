import { Script } from 'node:vm';
import { afterEach, expect, test, vi } from 'vitest';
import { Failure } from '#lib/failure/failure';
import { markdownToHtml } from '#lib/system/markdown';
import { withinTime } from '#lib/system/time-limit';
import { codeOf } from '../support/code-of.ts';

const forever = () => {
  for (let i = 0; ; i++) if (i < 0) return;
};
const overflow = (): number => overflow() + 1;

afterEach(() => {
  vi.restoreAllMocks();
});

test.each(['a', undefined, null, 0, '', false])('work gives its result: %j', (result) => {
  expect(withinTime(10_000, () => result)).toBe(result);
});

test.each([
  ['loops without an end', forever],
  ['tests a regular expression that backtracks', () => /^(a+)+$/.test(`${'a'.repeat(40)}!`)],
])('work is stopped when it %s', (_name, work) => {
  expect(codeOf(() => withinTime(50, work))).toBe('too_complex');
});

test('work is refused when it overflows the stack', () => {
  expect(codeOf(() => withinTime(60_000, overflow))).toBe('too_complex');
});

test('work is stopped by its own limit, not by that of other work', () => {
  const nested = () => withinTime(600_000, () => codeOf(() => withinTime(20, forever)));
  expect(nested()).toBe('too_complex');
});

test('work leaves no trace in the renderer, wherever it is stopped', () => {
  const markdown = `${'*a* _b_ ~~c~~ [d](e) `f` \\* [g] <h@i.j> **k _l_ m** '.repeat(40)}\n\n[g]: n\n`;
  const expected = markdownToHtml(markdown);
  const slow = markdown + '_a__'.repeat(20_000);
  for (let milliseconds = 1; milliseconds <= 20; milliseconds++) {
    expect(codeOf(() => withinTime(milliseconds, () => markdownToHtml(slow)))).toBe('too_complex');
    expect(markdownToHtml(markdown)).toBe(expected);
  }
});

test.each([
  new Failure('forbidden'),
  new TypeError('x'),
  Object.assign(new Error('x'), { code: 'ERR_SCRIPT_EXECUTION' }),
  Object.assign(new Error('x'), { code: 'RangeError' }),
])('work rethrows its own error: %s', (error) => {
  const work = () => {
    throw error;
  };
  expect(() => withinTime(10_000, work)).toThrow(error);
});

test.each([
  ['once when its thread had all of the time', 1, 1],
  ['once when its thread had most of the time', 0.68, 1],
  ['again when others had the processor', 0.66, 2],
  ['again, and not a third time, when its thread had none', 0, 2],
])('work that was stopped is run %s', (_, share, runs) => {
  const usage = vi.spyOn(process, 'threadCpuUsage');
  usage.mockReturnValueOnce({ user: 0, system: 0 });
  usage.mockReturnValue({ user: 20_000 * share, system: 20_000 * share });
  // On a busy machine the time may be over before the work has begun.
  const run = vi.spyOn(Script.prototype, 'runInContext');
  expect(codeOf(() => withinTime(40, forever))).toBe('too_complex');
  expect(run).toHaveBeenCalledTimes(runs);
});

test('work that was stopped has twice the time when it is run again, and gives its result', () => {
  vi.spyOn(process, 'threadCpuUsage').mockReturnValue({ user: 0, system: 0 });
  const run = vi.spyOn(Script.prototype, 'runInContext');
  let runs = 0;
  const work = () => (++runs === 1 ? forever() : runs);
  expect(withinTime(500, work)).toBe(2);
  expect(run.mock.calls.map(([, options]) => options?.timeout)).toEqual([500, 1000]);
});
