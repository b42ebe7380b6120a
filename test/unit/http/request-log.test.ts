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
const open = () => requestLog('test.rule') as unknown as Record<'before' | 'after' | 'onError', Step>;
const runsAt = (...times: number[]) =>
  vi.spyOn(performance, 'now').mockImplementation(() => times.shift() as number);

/** Lets a request pass that takes 12.4 ms. */
function pass(step: 'after' | 'onError', part: object, response: object | undefined) {
  const middleware = open();
  const event = { ...gatewayEvent({ method: 'POST', routeKey: 'POST /a/{b}' }), ...part };
  runsAt(1000, 1012.4);
  middleware.before({ event });
  middleware[step]({ event, response });
}

const LINE = {
  level: 'info',
  function: 'test.rule',
  requestId: 'request-1',
  route: 'POST /a/{b}',
  start: 'cold',
  ms: 12,
};
const SUCCESS = { status: 200, outcome: 'success', userid: 'id-1' };

test.each<[string, { step: 'after' | 'onError'; part: object; response: object | undefined; more: object }]>([
  [
    'has its caller and its answer',
    { step: 'after', part: { caller: { id: 'id-1' } }, response: { statusCode: 200 }, more: SUCCESS },
  ],
  [
    'without a caller and an answer has neither',
    { step: 'onError', part: {}, response: undefined, more: { outcome: 'failed' } },
  ],
])('the line of a request %s', (_title, { step, part, response, more }) => {
  pass(step, part, response);
  expect(lines).toStrictEqual([{ ...LINE, ...more }]);
});

test.each([
  [200, 'success'],
  [399, 'success'],
  [400, 'refused'],
  [499, 'refused'],
  [500, 'failed'],
])('the outcome of the status %i is %s', (statusCode, outcome) => {
  pass('after', {}, { statusCode });
  expect(lines[0]).toHaveProperty('outcome', outcome);
});

test('parallel requests have their own times, rounded, and the first line is a cold start', () => {
  const { before, after } = open();
  const [one, other, unseen] = [gatewayEvent(), gatewayEvent(), gatewayEvent()];
  runsAt(0.2, 10, 15.4, 40.8, 50);
  before({ event: one });
  before({ event: other });
  for (const event of [other, one, unseen]) after({ event, response: { statusCode: 200 } });
  expect(lines.map(({ ms, start }) => [ms, start])).toEqual([
    [5, 'cold'],
    [41, undefined],
    [null, undefined],
  ]);
});
