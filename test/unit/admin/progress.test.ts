import { afterEach, describe, expect, test, vi } from 'vitest';
import { barLine, progressParts, showProgress } from '#infra/admin/bulk/progress';

afterEach(() => vi.unstubAllEnvs());

describe('progress is told with', () => {
  test.each([
    ['how fast, and how long still', 1200, 10_000, 300, '1,200 of 10,000 accounts, 300 a second, 30 s left'],
    ['minutes', 100, 10_000, 100, '100 of 10,000 accounts, 100 a second, 2 min left'],
    ['hours', 100, 1_000_000, 100, '100 of 1,000,000 accounts, 100 a second, 2 h 47 min left'],
    ['what is slow', 10, 20, 0.5, '10 of 20 accounts, 30 a minute, 20 s left'],
    ['the end', 5, 5, 5, '5 of 5 accounts, 5 a second, 0 s left'],
    ['no speed at the start', 0, 5, 0, '0 of 5 accounts'],
    ['no end that is not known', 1200, undefined, 300, '1,200 accounts, 300 a second'],
  ])('%s', (_what, done, total, rate, line) => {
    const reached = total === undefined ? { done } : { done, total };
    expect(progressParts(reached, 'accounts', rate).join(', ')).toBe(line);
  });
});

describe('a bar', () => {
  const reached = { done: 1200, total: 2400 };
  const parts = progressParts(reached, 'accounts', 300);
  const all = '1,200 of 2,400 accounts, 300 a second, 4 s left';
  test.each([
    ['is as long as can be seen at a glance', 200, `[${'#'.repeat(15)}${'-'.repeat(15)}]  50%  ${all}`],
    ['fits the terminal', 80, `[${'#'.repeat(11)}${'-'.repeat(12)}]  50%  ${all}`],
    ['gives way to the text', 60, all],
    ['gives way with the rate', 40, '1,200 of 2,400 accounts, 4 s left'],
    ['gives way with the time', 30, '1,200 of 2,400 accounts'],
    ['is never wider than the terminal', 10, '1,200 of '],
  ])('%s', (_what, columns, line) => {
    expect(barLine(reached, parts, columns)).toBe(line);
  });

  test.each([
    ['empty at the start', 0, 4, /^\[-+\] {3}0% /],
    ['full at the end, and not before', 9999, 10_000, /^\[#+-\] {2}99% /],
    ['full at the end', 4, 4, /^\[#+\] 100% /],
    ['none where there is nothing to do', 0, 0, /^0 of 0/],
  ])('is %s', (_what, done, total, line) => {
    expect(barLine({ done, total }, progressParts({ done, total }, 'accounts', 0), 80)).toMatch(line);
  });
});

describe('progress', () => {
  /** All that is written when there is progress every 100 ms for so long; `lasts` is how long a thing takes then. */
  function written(isTTY: boolean, lasts: (time: number) => number = () => 1, until = 21_000): string[] {
    const texts: string[] = [];
    let time = 0;
    let done = 0;
    const write = (text: string) => texts.push(text) > 0;
    const output = { isTTY, columns: 80, write } as never;
    const { tell, say, end } = showProgress('tokens', output, () => time);
    for (; time <= until; time += 100) {
      tell({ done, total: 21_000 });
      if (time === 500) say('line 7 is not right');
      done += 100 / lasts(time);
    }
    end();
    return texts;
  }

  test('is one line on a terminal, which changes five times a second and goes at the end', () => {
    const texts = written(true).filter((text) => !text.includes('line 7'));
    const [last, ...bars] = texts.reverse();
    expect(bars).toHaveLength(21 * 5 + 1);
    expect(bars.filter((text) => text.includes('\n') || !text.startsWith('\r'))).toEqual([]);
    expect(bars.filter((text) => text !== '\r\x1b[K' && !/^\r\[[#-]+\] /.test(text))).toEqual([]);
    expect(last).toBe('\r\x1b[K');
  });

  test('makes room for what is said meanwhile', () => {
    const texts = written(true);
    const at = texts.indexOf('line 7 is not right\n');
    expect(texts.slice(at - 1, at + 2)).toEqual(['\r\x1b[K', 'line 7 is not right\n', expect.any(String)]);
  });

  test.each([
    ['elsewhere', false, 'xterm'],
    ['on a terminal that erases nothing', true, 'dumb'],
  ])('is a line every ten seconds %s', (_what, isTTY, TERM) => {
    vi.stubEnv('TERM', TERM);
    expect(written(isTTY)).toEqual([
      'line 7 is not right\n',
      '10,000 of 21,000 tokens, 1,000 a second, 11 s left\n',
      '20,000 of 21,000 tokens, 1,000 a second, 1 s left\n',
    ]);
  });

  test('has the rate of now, whatever it was long ago', () => {
    const slower = written(false, (time) => (time < 10_000 ? 1 : 100), 131_000);
    expect(slower.at(-1)).toBe('11,200 of 21,000 tokens, 10 a second, 17 min left\n');
  });
});
