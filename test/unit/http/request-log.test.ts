import { afterEach, expect, test, vi } from 'vitest';
import type { RequestContext } from '#lib/http/request';
import { requestLog } from '#lib/http/request-log';
import { performance } from '#lib/precise-time';
import { logLines } from '../support/log-lines.ts';
import { authenticatedAs, requestContext, step } from '../support/request-context.ts';

const lines = logLines();
afterEach(() => {
  vi.restoreAllMocks();
});

const runsAt = (...times: number[]) =>
  vi.spyOn(performance, 'now').mockImplementation(() => times.shift() as number);

/** Lets a request pass that takes 12.4 ms. */
function pass(name: 'after' | 'onError', part: Partial<RequestContext>, statusCode?: number) {
  const event = { method: 'POST', routeKey: 'POST /a/{b}' };
  const response = statusCode === undefined ? undefined : { statusCode, headers: {}, body: '' };
  runsAt(1012.4);
  step(requestLog('test.rule'), name, requestContext(event, { startedAt: 1000, ...part }), { response });
}

const LINE = {
  level: 'info',
  function: 'test.rule',
  requestId: 'request-1',
  route: 'POST /a/{b}',
  start: 'cold',
  ms: 12,
};
const ADA = authenticatedAs('Ada');
const SUCCESS = { status: 200, outcome: 'success', userid: ADA.caller.id };

test.each<
  [
    string,
    { step: 'after' | 'onError'; part: Partial<RequestContext>; status: number | undefined; more: object },
  ]
>([
  [
    'has its caller and its answer',
    { step: 'after', part: { authenticated: ADA }, status: 200, more: SUCCESS },
  ],
  [
    'without a caller and an answer has neither',
    { step: 'onError', part: {}, status: undefined, more: { outcome: 'failed' } },
  ],
])('the line of a request %s', (_title, { step, part, status, more }) => {
  pass(step, part, status);
  expect(lines).toStrictEqual([{ ...LINE, ...more }]);
});

test.each([
  [200, 'success'],
  [399, 'success'],
  [400, 'refused'],
  [499, 'refused'],
  [500, 'failed'],
])('the outcome of the status %i is %s', (statusCode, outcome) => {
  pass('after', {}, statusCode);
  expect(lines[0]).toHaveProperty('outcome', outcome);
});

test('requests have their own times, rounded, and the first line is a cold start', () => {
  const middleware = requestLog('test.rule');
  runsAt(15.4, 40.8);
  for (const startedAt of [10, 0.2]) step(middleware, 'after', requestContext({}, { startedAt }));
  expect(lines.map(({ ms, start }) => [ms, start])).toEqual([
    [5, 'cold'],
    [41, undefined],
  ]);
});
