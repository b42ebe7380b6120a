import { afterEach, expect, test, vi } from 'vitest';
import { Failure } from '#lib/failure';
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

test('work that ends in time gives its result', () => {
  expect(withinTime(1000, () => ['a', 1])).toEqual(['a', 1]);
});

test.each([
  ['a loop without an end', forever],
  ['a regular expression that backtracks', () => /^(a+)+$/.test(`${'a'.repeat(40)}!`)],
  ['Markdown that marked is slow on', () => markdownToHtml('_a__'.repeat(50_000))],
])('%s is stopped', (_name, work) => {
  expect(codeOf(() => withinTime(50, work))).toBe('too_complex');
});

test('work is stopped by its own limit, whatever that of other work is', () => {
  const nested = () => withinTime(30_000, () => codeOf(() => withinTime(20, forever)));
  expect(nested()).toBe('too_complex');
});

test.each([undefined, null, 0, '', false])('a result may be %s', (result) => {
  expect(withinTime(1000, () => result)).toBe(result);
});

test('recursion that overflows the stack is refused alike', () => {
  expect(codeOf(() => withinTime(1000, overflow))).toBe('too_complex');
});

test('wherever work is stopped, the next gives the same as ever', () => {
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
])('the error of the work itself is thrown on: %s', (error) => {
  const work = () => {
    throw error;
  };
  expect(() => withinTime(1000, work)).toThrow(error);
});

/** Runs work, on a thread that has had so much of its time, until it was stopped for good; tells how often. */
function runsWith(share: number): number {
  const usage = vi.spyOn(process, 'threadCpuUsage');
  usage.mockReturnValueOnce({ user: 0, system: 0 });
  usage.mockReturnValue({ user: 20_000 * share, system: 20_000 * share });
  const work = vi.fn(forever);
  expect(codeOf(() => withinTime(40, work))).toBe('too_complex');
  return work.mock.calls.length;
}

test.each([
  ['once where it had its thread for itself', 1, 1],
  ['once where it had most of it', 0.68, 1],
  ['once more where others had the processor', 0.66, 2],
  ['once more, and not again, where it had next to nothing', 0, 2],
])('work without an end is run %s', (_, share, runs) => {
  expect(runsWith(share)).toBe(runs);
});

test('work that is run once more gives its result', () => {
  vi.spyOn(process, 'threadCpuUsage').mockReturnValue({ user: 0, system: 0 });
  let runs = 0;
  const work = () => (++runs === 1 ? forever() : runs);
  expect(withinTime(20, work)).toBe(2);
});
