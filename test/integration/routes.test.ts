import { decodeJwt, decodeProtectedHeader } from 'jose';
import { expect, test } from 'vitest';
import type { Contract } from '#lib/contract/contract';
import { contracts, type Route, routes } from '#lib/routes';
import { forgeOf, newPair } from '../unit/session/forge.ts';
import { sessionIdOf } from '../unit/support/items.ts';
import { EVERY_ROLE } from './every-role.ts';
import { requestOf } from './requests.ts';
import { admin, type Call, call, createUser, prepare, uniqueName } from './service.ts';

/** A path of the route with every parameter filled in. */
const fill = (path: string, username: string) =>
  path
    .replace('{app_name}', 'core')
    .replace('{token_name}', 'some-token')
    .replace('{trust_name}', 'some-trust')
    .replace('{passkey_name}', 'phone')
    .replace('{session_id}', sessionIdOf(username))
    .replaceAll(/\{\w+\}/g, username);

const nobody = await createUser();
const token = await nobody.token();
const jwt = await nobody.logIn();
const everyRole = await (await createUser({ roles: [...EVERY_ROLE] })).token();

const protectedRoutes = routes.filter(({ contract }) => contract.access !== 'public');

// Rules: test/unit/session/session-token.test.ts.
const forge = forgeOf({ ...decodeProtectedHeader(jwt) }, decodeJwt(jwt), newPair().privateKey);

/** Credentials that are none, one of each way to send them, and forged sessions (RFC 8725). */
const garbage: Readonly<Record<string, Call & { inQuery?: true }>> = {
  'no credential': {},
  'an unknown scheme': { headers: { authorization: 'Digest abc' } },
  'a token as a bearer': { headers: { authorization: `Bearer ${token}` } },
  'a session as a token': { headers: { authorization: `Token ${jwt}` } },
  'a session with a broken signature': { jwt: `${jwt.slice(0, -4)}AAAA` },
  'a session by another key': { jwt: forge() },
  'a session with algorithm none': { jwt: forge({ header: { alg: 'none' }, sign: () => '' }) },
  'a session by another key in the cookie': { headers: { cookie: `ptoken=${forge()}` } },
  'a token in the cookie': { headers: { cookie: `ptoken=${token}` } },
  'a session as a token in the query': { inQuery: true },
};

/** Whether a request from another site, with the cookie, could change something. */
const isChanging = ({ method, contract }: Route) => method !== 'GET' || contract.unsafe === true;

/** The first route of each kind of access gets all of them, the others two in turn. */
const first = Map.groupBy(protectedRoutes, ({ contract }) => JSON.stringify(contract.access));
const isFirst = (route: Route) => first.get(JSON.stringify(route.contract.access))?.[0] === route;

test.each(protectedRoutes.filter(isChanging))(
  '$method $path refuses the cookie from another site',
  async ({ method, path }) => {
    const headers = { cookie: `ptoken=${jwt}`, 'sec-fetch-site': 'cross-site' };
    expect((await call(method, fill(path, nobody.username), { headers })).code).toBe('forbidden');
  },
);

test.each(protectedRoutes)('$method $path refuses a request without a valid credential', async (route) => {
  const { method, path } = route;
  const filled = fill(path, nobody.username);
  const ways = Object.entries(garbage).filter(
    ([what]) => route.contract.access !== 'optional' || what !== 'no credential',
  );
  const isPresented = (n: number) => isFirst(route) || n % 5 === protectedRoutes.indexOf(route) % 5;
  for (const [what, request] of ways.filter((_, n) => isPresented(n))) {
    const reply = await call(method, request.inQuery ? `${filled}?ptoken=api:${jwt}` : filled, request);
    expect(reply.status, what).toBe(401);
    expect(reply.headers.get('www-authenticate'), what).toContain('Bearer');
    expect(reply.headers.get('cache-control'), what).toBe('no-store');
    expect(reply.body, what).toEqual({
      success: false,
      message: expect.any(String),
      requestID: reply.headers.get('x-request-id'),
      executed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      data: { code: 'unauthenticated' },
    });
  }
});

const named = protectedRoutes.filter(({ path }) => path.includes('username}'));

test.each(named)(
  '$method $path refuses a malformed username and an unknown one',
  async ({ method, path, contract }) => {
    const valid = { ...admin, ...requestOf(contract.id, nobody)[2] };
    const reply = await call(method, fill(path, 'not%20a%20name'), valid);
    expect(reply.code).toBe('invalid_request');
    expect(reply.body.data.errors[0].field).toMatch(/username$/);
    if (path.includes('{username}'))
      expect((await call(method, fill(path, uniqueName('missing')), valid)).code).toBe('account_not_found');
  },
);

/** A token, or a session where a token is refused before its request is read: that is always about the own account. */
const credentialFor = async ({ ownBy, path }: Contract, token: string | undefined): Promise<Call> =>
  ownBy === 'session' && !path.includes('{username') ? { jwt: await nobody.logIn() } : { token };

const closed = contracts.filter(({ id, access }) => access !== 'public' && id !== 'system.ping');

test.each(closed)('$id names an unknown parameter of its query', async (contract) => {
  const { id } = contract;
  const [method, filled, request] = requestOf(id, nobody);
  const path = `${filled}${filled.includes('?') ? '&' : '?'}surprise=1&surprise=2&ptoken=x`;
  const { status, body } = await call(method, path, {
    ...request,
    ...(await credentialFor(contract, everyRole)),
  });
  expect(status).toBe(400);
  expect(body.data.errors).toEqual([{ field: 'surprise', message: 'Unknown parameter' }]);
});

const bodiless = closed.filter(({ body, method }) => !body && !method.includes('GET'));

test.each(bodiless)('$id accepts only an empty object as its body', async ({ id }) => {
  const user = await createUser();
  await prepare(id, user);
  const [method, path] = requestOf(id, user);
  const send = (json: object) => call(method, path, { token: everyRole, json });
  const { status, body } = await send({ expires_in_days: 90 });
  expect(status).toBe(400);
  expect(body.data.errors).toEqual([{ field: 'body', message: 'This endpoint takes no body' }]);
  expect((await send({})).status, 'an empty object').toBe(200);
});

const bodied = routes.filter(({ method, contract }) => contract.body && method !== 'GET');

test.each(bodied.filter(({ contract }) => contract.bodyKind === undefined))(
  '$method $path requires a body, and names an unknown property',
  async ({ method, path, contract }) => {
    const filled = fill(path, nobody.username);
    const credential = await credentialFor(contract, admin.token);
    expect((await call(method, filled, credential)).status).toBe(400);
    const reply = await call(method, filled, { ...credential, json: { surprise: 1 } });
    expect(reply.body.data.errors).toContainEqual({ field: 'surprise', message: 'Unknown property' });
  },
);

// Rules: test/unit/local/router.test.ts.
test.each(['GET', 'HEAD'])('the gateway answers %s of an unknown route', async (method) => {
  const reply = await call(method, '/api/core/token/user/', admin);
  expect([reply.status, reply.text]).toEqual([404, method === 'HEAD' ? '' : '{"message":"Not Found"}']);
  expect(reply.headers.get('apigw-requestid')).toEqual(expect.any(String));
});
