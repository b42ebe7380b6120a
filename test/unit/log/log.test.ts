import { expect, describe as group, test, vi } from 'vitest';
import { Failure } from '#lib/failure';
import { describe, log } from '#lib/log/log';

test('a line of the log is one line of JSON on standard output that begins with its level and its time', () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 20, 5, 30, 0, 120), toFake: ['Date'] });
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    log('info', { message: 'two\nlines', n: 1, missing: undefined });
    log('warn', {});
    log('error', { level: 'fatal' });
    expect(write.mock.calls).toEqual([
      ['{"level":"info","time":"2026-11-20T05:30:00.120Z","message":"two\\nlines","n":1}\n'],
      ['{"level":"warn","time":"2026-11-20T05:30:00.120Z"}\n'],
      ['{"level":"fatal","time":"2026-11-20T05:30:00.120Z"}\n'],
    ]);
  } finally {
    write.mockRestore();
    vi.useRealTimers();
  }
});

group('of an error', () => {
  test('the name, the message and the calls are told', () => {
    const described = describe(new RangeError('out of range'));
    expect(described).toEqual({
      name: 'RangeError',
      message: 'out of range',
      stack: expect.arrayContaining([expect.stringMatching(/^at .*log\.test\.ts:\d+:\d+\)?$/)]),
    });
    expect(described.stack?.every((line) => line.startsWith('at '))).toBe(true);
  });

  test('the name is that of its kind', () => {
    expect(describe(new Failure('forbidden')).name).toBe('Failure');
  });

  test('the stack is left out where it has none', () => {
    const error = new Error('x');
    delete error.stack;
    expect(JSON.stringify(describe(error))).toBe('{"name":"Error","message":"x"}');
  });

  test('the causes are told as well', () => {
    const described = describe(new Error('outer', { cause: new TypeError('inner', { cause: 'innermost' }) }));
    expect(described).toMatchObject({
      message: 'outer',
      cause: { name: 'TypeError', message: 'inner', cause: { name: 'string', message: 'innermost' } },
    });
    expect(described.cause?.cause).toEqual({ name: 'string', message: 'innermost' });
  });

  test('a cause is told, whatever it is, and none where there is none', () => {
    expect(describe(new Error('x', { cause: null })).cause).toEqual({ name: 'object', message: 'null' });
    expect(describe(new Error('x', { cause: undefined }))).not.toHaveProperty('cause');
    expect(describe(new Error('x'))).not.toHaveProperty('cause');
  });

  test('which is the cause of itself, three causes are told', () => {
    const error = new Error('x');
    error.cause = error;
    let causes = 0;
    for (let each = describe(error).cause; each; each = each.cause) causes++;
    expect(causes).toBe(3);
  });

  test('nothing that is secret is told, neither in its message nor in a cause', () => {
    const error = new Error('cst_1 and hunter2', { cause: new Error('hunter2', { cause: 'is hunter2' }) });
    expect(describe(error, ['hunter2'])).toMatchObject({
      message: '[redacted] and [redacted]',
      cause: { message: '[redacted]', cause: { message: 'is [redacted]' } },
    });
    expect(JSON.stringify(describe(error, ['hunter2']))).not.toContain('hunter2');
  });
});

test.each<[unknown, string, string]>([
  ['cst_1 was refused', 'string', '[redacted] was refused'],
  [undefined, 'undefined', 'undefined'],
  [null, 'object', 'null'],
  [7, 'number', '7'],
])('what is thrown and is no error is told by its type: %j', (thrown, name, message) => {
  expect(describe(thrown)).toEqual({ name, message });
});

test('of what is no error, nothing that is secret is told', () => {
  expect(describe('was hunter2', ['hunter2'])).toEqual({ name: 'string', message: 'was [redacted]' });
});
