import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { progressLine, showProgress } from '#infra/admin/terminal/progress';

const bars = { barsize: 10, barGlue: '', barCompleteString: '##########', barIncompleteString: '----------' };

test.each([
  ['rate and time left', 1200, 10_000, 4, '1,200 of 10,000 accounts, 300 a second, 30 s left'],
  ['minutes', 100, 10_000, 1, '100 of 10,000 accounts, 100 a second, 2 min left'],
  ['one minute', 100, 6100, 1, '100 of 6,100 accounts, 100 a second, 1 min left'],
  ['hours', 100, 1_000_000, 1, '100 of 1,000,000 accounts, 100 a second, 2 h 47 min left'],
  ['an hour', 1, 3601, 1, '1 of 3,601 accounts, 1 a second, 1 h 0 min left'],
  ['nothing left', 5, 5, 1, '5 of 5 accounts, 5 a second, 0 s left'],
  ['no rate at the start', 0, 5, 0, '0 of 5 accounts'],
  ['no rate before the first', 0, 5, 3, '0 of 5 accounts'],
  ['no end without a total', 1200, 0, 4, '1,200 accounts, 300 a second'],
])('progressLine shows %s', (_what, value, total, seconds, line) => {
  const params = { value, total, progress: value / total, startTime: 0 };
  expect(progressLine(bars, params, { things: 'accounts', bar: false }, seconds * 1000)).toBe(line);
});

test('progressLine draws a bar on a terminal if the total is known', () => {
  const line = (total: number) =>
    progressLine(
      bars,
      { value: 5, total, progress: 0.5, startTime: 0 },
      { things: 'tokens', bar: true },
      1000,
    );
  expect(line(10)).toBe('[#####-----] 5 of 10 tokens, 5 a second, 1 s left');
  expect(line(0)).toBe('5 tokens, 5 a second');
});

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
    expect.stringMatching(/^(9,900|10,000) of 21,000 tokens, (990|1,000) a second, 1\d s left$/),
    expect.stringMatching(/^(19,900|20,000) of 21,000 tokens, (995|1,000) a second, \d s left$/),
    '21,000 of 21,000 tokens, 1,000 a second, 0 s left',
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
