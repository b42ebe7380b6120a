import { expect, test, vi } from 'vitest';
import type { Contract } from '#lib/contract/contract';
import type { GatewayEvent } from '#lib/contract/gateway-event';
import { endpoint } from '#lib/handler/endpoint';
import { authentication } from '#lib/http/authentication';
import { cachedPublicKeys } from '#lib/session/public-keys';
import { assign } from '#lib/table/expressions';
import { tokenKey } from '#lib/table/keys';
import { update } from '#lib/table/write';
import { hashApiToken } from '#lib/token/secret';
import { call, createSigningKey, OPEN, openEndpoints } from '../support/endpoints.ts';
import { endLimits } from '../support/limits.ts';
import { auditLines } from '../support/log-lines.ts';
import { requestContext, step } from '../support/request-context.ts';

const audited = auditLines();
const { table, wire, runtime, caller, account, session } = await openEndpoints();
const someone = await caller();
const { headers } = someone;
const [one, other] = [await account(), await account()];

const OWN = { ...OPEN, access: 'authenticated' } as const satisfies Contract;
const TWO = { ...OWN, accounts: ['source_username', 'target_username'] } as const satisfies Contract;

/** IDs of the caller and the accounts that a rule receives; or the code of the failure. */
async function given(contract: Contract, event: Parameters<typeof call>[1]) {
  const handler = endpoint(contract as typeof TWO, ({ caller, accounts }) =>
    [caller, ...(accounts as readonly (typeof caller)[])].map(({ id }) => id),
  );
  const { code, payload } = await call(handler, event);
  return code ?? payload;
}
const onPath = (source_username?: string, target_username?: string) => ({
  headers,
  pathParameters: { source_username, target_username, other: 'x' } as Record<string, string>,
});

test.each<[string, Contract, Parameters<typeof call>[1], readonly { readonly id: string }[]]>([
  ['has its caller', OWN, { headers }, []],
  ['has the accounts on its path in their order', TWO, onPath(one.username, other.username), [one, other]],
  ['has its caller for an absent name', TWO, onPath(undefined, other.username), [someone.account, other]],
  ['has its caller for a path without names', TWO, { headers }, [someone.account, someone.account]],
  ['has one account twice', TWO, onPath(one.username, one.username.toUpperCase()), [one, one]],
])('a request with a credential %s', async (_title, contract, event, accounts) => {
  const ids = [someone.account, ...accounts].map(({ id }) => id);
  expect(await given(contract, event)).toEqual(ids);
});

test.each(['no-such-account', 'no name'])(
  'a request with a credential is refused when its path has the name %j',
  async (name) => {
    for (const event of [onPath(name, one.username), onPath(one.username, name)])
      expect(await given(TWO, event)).toBe('account_not_found');
  },
);

test('a request with a credential reads the caller and the accounts in two round trips, and no impossible name', async () => {
  wire.reset();
  await given(TWO, onPath('no name', one.username));
  const reads = wire.commands.filter(({ operation }) => operation.includes('Get'));
  expect(reads.map(({ operation }) => operation)).toEqual(['GetItem', 'BatchGetItem']);
  expect(JSON.stringify(reads[1]?.input)).toContain(one.username);
  expect(JSON.stringify(reads[1]?.input)).not.toContain('no name');
});

test('a request with a read-only token is refused unless it reads', async () => {
  const reader = await caller();
  await update(table, { Key: tokenKey(hashApiToken(reader.token)), ...assign({ access: 'read' }, {}) });
  expect(await given(OWN, { headers: reader.headers })).toEqual([reader.account.id]);
  expect(await given(OWN, { headers: reader.headers, method: 'POST' })).toBe('forbidden');
});

const OR_CODE = { ...OPEN, access: 'authenticated-or-code' } as const satisfies Contract;
const handler = endpoint(OR_CODE, ({ caller, actor, limits }) => [caller?.id, actor?.by, limits]);
const answerTo = async (event: Parameters<typeof call>[1]) => {
  const { code, payload } = await call(handler, event);
  return code ?? payload;
};
const body = '{}'.replace('}', ' "code" : "x"}');
const base64 = { body: Buffer.from(body).toString('base64'), isBase64Encoded: true };

// This endpoint refuses a body, after the check of the credential.
test.each<[string, Parameters<typeof call>[1], unknown]>([
  ['a code', { body: '{"code":"x"}' }, 'invalid_request'],
  ['a code between spaces', { body }, 'invalid_request'],
  ['a code in base64', base64, 'invalid_request'],
  ['no body', {}, 'unauthenticated'],
  ['another body', { body: '{"codes":"code"}' }, 'unauthenticated'],
  ['a code and an empty header', { body, headers: { authorization: '' } }, 'unauthenticated'],
  ['a code and an empty query', { body, rawQueryString: 'ptoken=' }, 'unauthenticated'],
  ['a code and an empty cookie', { body, cookies: ['ptoken='] }, 'unauthenticated'],
  ['a code and another cookie', { body, cookies: ['theme=dark'] }, 'invalid_request'],
])(
  'an endpoint that accepts a code in place of a credential answers a request with %s: %j',
  async (_what, event, expected) => {
    expect(await answerTo(event)).toBe(expected);
  },
);

const OPTIONAL = { ...OPEN, access: 'optional' } as const satisfies Contract;
const seen = endpoint(OPTIONAL, ({ caller }) => caller?.id ?? 'nobody');
test.each<[string, Parameters<typeof call>[1], object]>([
  ['none', {}, { status: 200, payload: 'nobody' }],
  ['one', { headers }, { status: 200, payload: someone.account.id }],
  ['an unknown one', { headers: { authorization: 'Token x' } }, { status: 401, code: 'unauthenticated' }],
])('an endpoint whose credential is optional answers a request with %s', async (_what, event, expected) => {
  expect(await call(seen, event)).toMatchObject(expected);
});

test('a token in the query is accepted if the settings permit it', async () => {
  const query = { rawQueryString: `ptoken=api:${someone.token}` };
  expect(await given(OWN, query)).toEqual([someone.account.id]);
  vi.stubEnv('Settings__AllowQueryToken', 'false');
  expect(await given(OWN, query)).toBe('unauthenticated');
  vi.stubEnv('Settings__AllowQueryToken', undefined);
});

const jwt = createSigningKey(table).then((key) => session(someone.account, key, Date.now()));
const from = async (site: string, part: Partial<GatewayEvent> & { method?: string } = {}) => ({
  cookies: [`ptoken=${await jwt}`],
  headers: { 'sec-fetch-site': site },
  ...part,
});
const UNSAFE = { ...OWN, unsafe: true } as const;
const passes = [someone.account.id];

test.each([
  ['POST', OWN, 'cross-site', 'forbidden'],
  ['HEAD', OWN, 'cross-site', 'forbidden'],
  ['GET', UNSAFE, 'cross-site', 'forbidden'],
  ['GET', OWN, 'cross-site', passes],
  ['POST', OWN, 'same-origin', passes],
  ['GET', UNSAFE, 'same-origin', passes],
] as const)(
  'a request with a cookie from another site by %s, to %o, is checked when it may change something: %s, %s',
  async (method, contract, site, expected) => {
    expect(await given(contract, await from(site, { method }))).toEqual(expected);
  },
);

test('a request with a cookie from another site is unauthenticated when its session does not verify', async () => {
  const event = await from('cross-site', { method: 'POST', cookies: ['ptoken=eyJh.eyJh.AAAA'] });
  expect(await given(OWN, event)).toBe('unauthenticated');
});

test('a request with a cookie from another site is audited with its caller when it is refused', async () => {
  await given(OWN, await from('cross-site', { method: 'POST' }));
  const actor = someone.account.username.toLowerCase();
  expect(audited).toMatchObject([{ actor, credential: expect.any(String), outcome: 'forbidden' }]);
});

test('a request with a cookie from another site passes with a session in the header or the query, which no browser sends by itself', async () => {
  const headers = { 'sec-fetch-site': 'cross-site' };
  const inHeader = { cookies: [], headers: { ...headers, authorization: `Bearer ${await jwt}` } };
  const inQuery = { cookies: [], headers, rawQueryString: `ptoken=${await jwt}` };
  for (const part of [inHeader, inQuery])
    expect(await given(UNSAFE, { method: 'POST', ...part })).toEqual(passes);
});

test.each(['after', 'onError'] as const)(
  'the answer waits for activity, but not forever: %s',
  async (name) => {
    endLimits();
    const { headers } = await caller();
    wire.script((operation) => (operation === 'TransactWriteItems' ? 'hang' : undefined));
    const middleware = authentication(OWN, runtime, cachedPublicKeys(table, runtime.now));
    const context = requestContext({ headers });
    await step(middleware, 'before', context);
    const settled = step(middleware, name, context);
    const soon = new Promise((resolve) => setImmediate(resolve, 'still waits'));
    expect(await Promise.race([settled, soon])).toBe('still waits');
    await expect(settled).resolves.toBeUndefined();
  },
);
