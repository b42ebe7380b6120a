import { afterEach, beforeEach, expect, describe as group, test, vi } from 'vitest';
import { describe, log, logTo } from '#lib/log/log';

group('a line of the log', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 20, 5, 30, 0, 120), toFake: ['Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  test.each([
    ['info', { message: 'two\nlines', n: 1, none: undefined }, ',"message":"two\\nlines","n":1'],
    ['warn', {}, ''],
  ] as const)(
    'is JSON on standard output that begins with the level %s and its time',
    (level, line, rest) => {
      const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
      log(level, line);
      expect(write.mock.calls).toEqual([[`{"level":"${level}","time":"2026-11-20T05:30:00.120Z"${rest}}\n`]]);
    },
  );

  test('may have a level of its own, and go to another stream', () => {
    const lines: string[] = [];
    logTo({ write: (line: string | Uint8Array) => lines.push(String(line)) > 0 });
    log('error', { level: 'fatal' });
    logTo(process.stdout);
    expect(lines).toEqual(['{"level":"fatal","time":"2026-11-20T05:30:00.120Z"}\n']);
  });
});

/** An error without calls, whose description is then known to the last property. */
function bare(error: Error): Error {
  delete error.stack;
  return error;
}
const circular = bare(new Error('x'));
circular.cause = circular;

const innermost = { name: 'string', message: 'innermost' };
const inner = { name: 'TypeError', message: 'inner', cause: innermost };
const x = (cause?: object) => ({ name: 'Error', message: 'x', ...(cause && { cause }) });

test('the description of an error has its name, its message and its calls', () => {
  const { stack = [], ...described } = describe(new RangeError('out of range'));
  expect(described).toEqual({ name: 'RangeError', message: 'out of range' });
  expect(stack).toContainEqual(expect.stringMatching(/^at .*log\.test\.ts:\d+:\d+\)?$/));
  expect(stack.every((line) => line.startsWith('at '))).toBe(true);
});

test.each<[string, unknown, object]>([
  ['no stack when it has none', bare(new Error('x')), x()],
  ['no cause when that is undefined', bare(new Error('x', { cause: undefined })), x()],
  ['a cause that is null', bare(new Error('x', { cause: null })), x({ name: 'object', message: 'null' })],
  [
    'its causes',
    bare(new Error('x', { cause: bare(new TypeError('inner', { cause: 'innermost' })) })),
    x(inner),
  ],
  ['three causes when it is its own', circular, x(x(x(x())))],
  ['the type of a text', 'cst_1 was refused', { name: 'string', message: '[redacted] was refused' }],
  ['the type of undefined', undefined, { name: 'undefined', message: 'undefined' }],
  ['the type of null', null, { name: 'object', message: 'null' }],
  ['the type of a number', 7, { name: 'number', message: '7' }],
])('the description of an error has %s', (_what, thrown, described) => {
  expect(describe(thrown)).toEqual(described);
});

test('the description of an error has no secret, neither in its message nor in a cause', () => {
  const error = new Error('cst_1 and hunter2', { cause: new Error('hunter2', { cause: 'is hunter2' }) });
  expect(describe(error, ['hunter2'])).toMatchObject({
    message: '[redacted] and [redacted]',
    cause: { message: '[redacted]', cause: { message: 'is [redacted]' } },
  });
  expect(JSON.stringify(describe(error, ['hunter2']))).not.toContain('hunter2');
  expect(describe('was hunter2', ['hunter2'])).toEqual({ name: 'string', message: 'was [redacted]' });
});
