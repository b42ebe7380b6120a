import { expect, test } from 'vitest';
import type { Caller } from '#lib/account/caller';
import { ping } from '#lib/system/contracts';
import { pong } from '#lib/system/ping';
import { gatewayEvent } from '../support/gateway-event.ts';

const caller = { username: 'Ada' } as unknown as Caller;

test('a ping is answered with what reached the service', () => {
  const event = gatewayEvent({ method: 'PATCH', queryStringParameters: { a: '1', b: 'x,y' } });
  const answer = pong(caller, event, { c: [1, null] });
  expect(answer).toEqual({
    ping: 'pong',
    method: 'PATCH',
    query: { a: '1', b: 'x,y' },
    body: { c: [1, null] },
    username: 'Ada',
    executed_at: expect.stringMatching(/\.\d{6}Z$/),
  });
  expect(ping.response().safeParse(answer).success).toBe(true);
});

test('without a body and a query there are null and {}', () => {
  expect(pong(caller, gatewayEvent(), undefined)).toMatchObject({ method: 'GET', query: {}, body: null });
});

test.each([false, 0, '', [], {}])('the body %s is answered as it is', (body) => {
  expect(pong(caller, gatewayEvent({ method: 'POST' }), body).body).toEqual(body);
});

test('the credential in a query is not repeated', () => {
  const event = gatewayEvent({ queryStringParameters: { ptoken: 'api:cst_secret', a: '1' } });
  expect(pong(caller, event, undefined).query).toEqual({ a: '1' });
});
