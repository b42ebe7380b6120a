import { describe, expect, test } from 'vitest';
import { progressLine, showProgress } from '#infra/admin/bulk/progress';

describe('a line of progress', () => {
  test.each([
    ['how fast, and how long still', 1200, 10_000, 4000, '1,200 of 10,000 accounts, 300 a second, 30 s left'],
    ['minutes', 100, 10_000, 1000, '100 of 10,000 accounts, 100 a second, 2 min left'],
    ['hours', 100, 1_000_000, 1000, '100 of 1,000,000 accounts, 100 a second, 2 h 47 min left'],
    ['the end', 5, 5, 1000, '5 of 5 accounts, 5 a second, 0 s left'],
    ['no speed at the start', 0, 5, 0, '0 of 5 accounts'],
  ])('tells %s', (_what, done, total, elapsed, line) => {
    expect(progressLine({ done, total }, 'accounts', elapsed)).toBe(line);
  });
});

describe('progress', () => {
  /** All that is written when there is progress every 100 ms for 21 s. */
  function written(isTTY: boolean): string[] {
    const texts: string[] = [];
    let time = 0;
    const write = (text: string) => texts.push(text) > 0;
    const { tell, end } = showProgress('tokens', { isTTY, write } as never, () => time);
    for (; time <= 21_000; time += 100) tell({ done: time, total: 21_000 });
    end();
    return texts;
  }

  test('is one line on a terminal, which changes five times a second and goes at the end', () => {
    const texts = written(true);
    expect(texts).toHaveLength(21 * 5 + 1);
    expect(texts.filter((text) => text.includes('\n') || !text.startsWith('\r'))).toEqual([]);
    expect(texts.at(-1)).toBe('\r\x1b[K');
  });

  test('is a line every ten seconds elsewhere', () => {
    expect(written(false)).toEqual([
      '10,000 of 21,000 tokens, 1,000 a second, 11 s left\n',
      '20,000 of 21,000 tokens, 1,000 a second, 1 s left\n',
    ]);
  });
});
