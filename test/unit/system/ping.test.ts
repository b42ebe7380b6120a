import { expect, test } from 'vitest';
import type { Caller } from '#lib/account/caller';
import { pong } from '#lib/system/ping';
import { gatewayEvent } from '../support/gateway-event.ts';

const caller = { username: 'Ada' } as unknown as Caller;

test('a ping echoes the method, the query without its credential, and the body', () => {
  const queryStringParameters = { a: '1', b: 'x,y', ptoken: 'api:cst_secret' };
  const answer = pong(caller, gatewayEvent({ method: 'PATCH', queryStringParameters }), { c: [1, null] });
  expect(answer).toEqual({
    ping: 'pong',
    method: 'PATCH',
    query: { a: '1', b: 'x,y' },
    body: { c: [1, null] },
    username: 'Ada',
    executed_at: expect.stringMatching(/\.\d{6}Z$/),
  });
});

const bodies: [body: unknown, echoed: unknown][] = [null, false, 0, '', [], {}].map((body) => [body, body]);

test.each([[undefined, null], ...bodies])('a ping answers the body %j with %j', (body, echoed) => {
  expect(pong(caller, gatewayEvent(), body)).toMatchObject({ method: 'GET', query: {}, body: echoed });
});
