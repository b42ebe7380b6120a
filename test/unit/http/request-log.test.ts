import { afterEach, expect, test, vi } from 'vitest';
import { requestLog } from '#lib/http/request-log';
import { performance } from '#lib/time';
import { gatewayEvent } from '../support/gateway-event.ts';
import { logLines } from '../support/log-lines.ts';

const lines = logLines();

afterEach(() => {
  vi.restoreAllMocks();
});

type Step = (request: object) => void;

/** Lets a request pass the log, by a clock that says when it came and when it was answered. */
function pass(step: 'after' | 'onError', part: object, response: object | undefined, times: number[]) {
  const middleware = requestLog('test.rule') as unknown as Record<'before' | 'after' | 'onError', Step>;
  const event = { ...gatewayEvent({ method: 'POST', routeKey: 'POST /a/{b}' }), ...part };
  vi.spyOn(performance, 'now').mockImplementation(() => times.shift() as number);
  middleware.before({ event });
  middleware[step]({ event, response });
}

test.each(['after', 'onError'] as const)(
  'a request is logged in one line, whatever comes of it: %s',
  (step) => {
    pass(step, { caller: { id: 'id-1', username: 'Ada' } }, { statusCode: 418 }, [1000, 1012.4]);
    expect(lines).toStrictEqual([
      {
        level: 'info',
        function: 'test.rule',
        requestId: 'request-1',
        route: 'POST /a/{b}',
        status: 418,
        outcome: 'refused',
        start: 'cold',
        userid: 'id-1',
        ms: 12,
      },
    ]);
  },
);

test('its time is rounded to the millisecond', () => {
  pass('after', {}, { statusCode: 200 }, [5.2, 5.8]);
  expect(lines[0]).toHaveProperty('ms', 1);
});

test('a request of nobody, or without an answer, is logged without them', () => {
  pass('onError', {}, undefined, [0, 3]);
  expect(lines).toStrictEqual([
    {
      level: 'info',
      function: 'test.rule',
      requestId: 'request-1',
      route: 'POST /a/{b}',
      outcome: 'failed',
      start: 'cold',
      ms: 3,
    },
  ]);
});

test('a request that was not seen to begin has no time', () => {
  const { after } = requestLog('test.rule') as unknown as { after: Step };
  after({ event: gatewayEvent(), response: { statusCode: 200 } });
  expect(lines[0]).toHaveProperty('ms', null);
});

test('requests side by side are timed each by itself', () => {
  const { before, after } = requestLog('test.rule') as unknown as Record<'before' | 'after', Step>;
  const [one, other] = [gatewayEvent(), gatewayEvent()];
  const times = [0, 10, 15, 40];
  vi.spyOn(performance, 'now').mockImplementation(() => times.shift() as number);
  before({ event: one });
  before({ event: other });
  after({ event: other });
  after({ event: one });
  expect(lines.map(({ ms }) => ms)).toEqual([5, 40]);
});

test('nothing of what was sent is logged', () => {
  const secrets = {
    headers: { authorization: 'Token s3cret' },
    rawQueryString: 'ptoken=s3cret',
    rawPath: '/a/s3cret',
  };
  pass(
    'after',
    { ...secrets, cookies: ['ptoken=s3cret'], body: 's3cret', params: { b: 's3cret' } },
    { statusCode: 200, body: 's3cret' },
    [0, 1],
  );
  expect(JSON.stringify(lines)).not.toContain('s3cret');
});

test.each([
  [200, 'success'],
  [399, 'success'],
  [400, 'refused'],
  [499, 'refused'],
  [500, 'failed'],
  [503, 'failed'],
])('%i is a %s', (statusCode, outcome) => {
  pass('after', {}, { statusCode }, [0, 0]);
  expect(lines[0]).toHaveProperty('outcome', outcome);
});

test('the first request of an execution environment is a cold start, and no other', () => {
  const { before, after } = requestLog('test.rule') as unknown as Record<'before' | 'after', Step>;
  for (const event of [gatewayEvent(), gatewayEvent()]) {
    before({ event });
    after({ event, response: { statusCode: 200 } });
  }
  expect(lines.map(({ start }) => start)).toEqual(['cold', undefined]);
});
