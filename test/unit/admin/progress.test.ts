import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { showProgress } from '#infra/admin/terminal/progress';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Everything that is written in 21 seconds, with progress every 100 ms. */
function written(isTTY: boolean): string {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 80 });
  const { tell, say, end } = showProgress('tokens', stream as never);
  for (let done = 100; done <= 21_000; done += 100) {
    vi.advanceTimersByTime(100);
    tell({ done, total: 21_000 });
    if (done === 500) say('line 7 is invalid');
  }
  end();
  expect(vi.getTimerCount()).toBe(0);
  return String(stream.read());
}

test('showProgress writes a line every ten seconds where there is no terminal', () => {
  expect(written(false).split('\n')).toEqual([
    '0 tokens',
    'line 7 is invalid',
    expect.stringMatching(/^(9,900|10,000) of 21,000 tokens, 1\ds left$/),
    expect.stringMatching(/^(19,900|20,000) of 21,000 tokens, \ds left$/),
    '21,000 of 21,000 tokens, 0s left',
    '',
  ]);
});

test('showProgress draws one line on a terminal, clears it for a text, and clears it at the end', () => {
  const text = written(true);
  expect(text).toContain('\r\x1b[Kline 7 is invalid\n');
  expect(text.split('\n')).toHaveLength(2);
  expect(text.match(/\[#*-*\] /g)?.length).toBeGreaterThan(50);
  expect(text.match(/\[(#*)-*\] /)?.[0]).toHaveLength('[] '.length + 30);
  expect(text.slice(text.lastIndexOf('] '))).toContain('\x1b[2K');
});
