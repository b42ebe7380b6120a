import { describe, expect, test } from 'vitest';
import type { Contract } from '#lib/contract/contract';
import type { GatewayEvent } from '#lib/contract/gateway-event';
import { Failure } from '#lib/failure';
import { authentication } from '#lib/http/authentication';
import type { EndpointEvent } from '#lib/http/request';
import { tokenKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { hashApiToken } from '#lib/token/secret';
import { createSigningKey, openEndpoints } from '../support/endpoints.ts';
import { gatewayEvent } from '../support/gateway-event.ts';

const { table, wire, runtime, clock, caller, account, session, operations } = await openEndpoints();

type Step = (request: object) => Promise<void>;
type Part = Partial<GatewayEvent> & { method?: string };

/** The middleware, and an event that has not met it yet. */
function meet(contract: Partial<Contract>, part: Part, settings: Partial<typeof runtime.settings> = {}) {
  const event = gatewayEvent(part) as EndpointEvent;
  const middleware = authentication(contract as Contract, {
    ...runtime,
    settings: { ...runtime.settings, ...settings },
  });
  const { before, after, onError } = middleware as Record<'before' | 'after' | 'onError', Step>;
  return {
    event,
    before: () => before({ event }),
    after: () => after({ event }),
    onError: () => onError({ event }),
  };
}

/** The event once it has met the middleware; or the code of the failure. */
async function outcome(contract: Partial<Contract>, part: Part, settings = {}) {
  const { event, before } = meet(contract, part, settings);
  try {
    await before();
    return event;
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}

const TWO = { accounts: ['source_username', 'target_username'] };

describe('a request with a credential is given', () => {
  test('its caller, and no account where the path names none', async () => {
    const { account, headers } = await caller();
    const event = (await outcome({}, { headers })) as EndpointEvent;
    expect(event.caller).toMatchObject({ id: account.id, username: account.username });
    expect(event.accounts).toEqual([]);
  });

  test('the accounts that the path names, in the order of the contract', async () => {
    const { headers } = await caller();
    const [one, other] = [await account(), await account()];
    const pathParameters = { target_username: other.username, source_username: one.username, other: 'x' };
    const event = (await outcome(TWO, { headers, pathParameters })) as EndpointEvent;
    expect(event.accounts?.map((each) => each?.id)).toEqual([one.id, other.id]);
  });

  test('the caller and its accounts in two round trips', async () => {
    const { headers } = await caller();
    const { username } = await account();
    wire.reset();
    await outcome({ accounts: ['username'] }, { headers, pathParameters: { username } });
    expect(operations().filter((operation) => operation.includes('Get'))).toEqual([
      'GetItem',
      'BatchGetItem',
    ]);
  });

  test('the caller itself in place of a name that is absent', async () => {
    const { account: self, headers } = await caller();
    const other = await account();
    for (const pathParameters of [undefined, {}])
      expect(await outcome({ accounts: ['username'] }, { headers, pathParameters })).toMatchObject({
        accounts: [{ id: self.id }],
      });
    const pathParameters = { target_username: other.username };
    expect(await outcome(TWO, { headers, pathParameters })).toMatchObject({
      accounts: [{ id: self.id }, { id: other.id }],
    });
  });

  test('nothing in place of an account that does not exist', async () => {
    const { headers } = await caller();
    const { username, id } = await account();
    const pathParameters = { source_username: 'no-such-account', target_username: username };
    const event = (await outcome(TWO, { headers, pathParameters })) as EndpointEvent;
    expect(event.accounts?.map((each) => each?.id)).toEqual([undefined, id]);
  });

  test('nothing in place of a name that no account can have, which is not read', async () => {
    const { headers } = await caller();
    const { username, id } = await account();
    const pathParameters = { source_username: 'no name', target_username: username };
    wire.reset();
    const read: unknown[] = [];
    wire.script((operation, input) => {
      if (operation === 'BatchGetItem') read.push(input['RequestItems']);
      return undefined;
    });
    const event = (await outcome(TWO, { headers, pathParameters })) as EndpointEvent;
    expect(event.accounts?.map((each) => each?.id)).toEqual([undefined, id]);
    expect(JSON.stringify(read)).toContain(username);
    expect(JSON.stringify(read)).not.toContain('no name');
  });

  test('one account twice where both names are of it', async () => {
    const { headers } = await caller();
    const { username, id } = await account();
    const pathParameters = { source_username: username, target_username: username.toUpperCase() };
    const event = (await outcome(TWO, { headers, pathParameters })) as EndpointEvent;
    expect(event.accounts?.map((each) => each?.id)).toEqual([id, id]);
  });
});

test('a request without a credential is refused before anything is read', async () => {
  wire.reset();
  expect(await outcome({ accounts: ['username'] }, { pathParameters: { username: 'ada' } })).toBe(
    'unauthenticated',
  );
  expect(operations()).toEqual([]);
});

test('a token in the query is accepted only where the settings allow it', async () => {
  const { account, token } = await caller();
  const query = { rawQueryString: `ptoken=api:${token}` };
  expect(await outcome({}, query)).toMatchObject({ caller: { id: account.id } });
  expect(await outcome({}, query, { AllowQueryToken: false })).toBe('unauthenticated');
});

describe('a request with a cookie from another site', () => {
  const CROSS_SITE = { 'sec-fetch-site': 'cross-site' };

  async function signedIn() {
    const self = await account();
    const token = await session(self, await createSigningKey(table), clock());
    return { self, cookies: [`ptoken=${token}`], token };
  }

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'])('is refused where it is a %s', async (method) => {
    const { cookies } = await signedIn();
    expect(await outcome({}, { method, cookies, headers: CROSS_SITE })).toBe('forbidden');
  });

  test('is refused where it is a GET that changes state', async () => {
    const { cookies } = await signedIn();
    expect(await outcome({ unsafe: true }, { cookies, headers: CROSS_SITE })).toBe('forbidden');
  });

  test('passes where it is a GET that changes nothing', async () => {
    const { self, cookies } = await signedIn();
    expect(await outcome({}, { cookies, headers: CROSS_SITE })).toMatchObject({ caller: { id: self.id } });
  });

  test('is told nothing of its site before its session is verified', async () => {
    const cookies = ['ptoken=eyJh.eyJh.AAAA'];
    expect(await outcome({}, { method: 'POST', cookies, headers: CROSS_SITE })).toBe('unauthenticated');
  });

  test('has no accounts that a rule could use', async () => {
    const { cookies } = await signedIn();
    const { event, before } = meet({}, { method: 'POST', cookies, headers: CROSS_SITE });
    await expect(before()).rejects.toThrow(Failure);
    expect([event.caller, event.accounts]).toEqual([undefined, undefined]);
  });

  test('passes from the own site', async () => {
    const { self, cookies } = await signedIn();
    for (const contract of [{}, { unsafe: true }] as const)
      expect(
        await outcome(contract, { method: 'POST', cookies, headers: { 'sec-fetch-site': 'same-origin' } }),
      ).toMatchObject({ caller: { id: self.id } });
  });

  test('passes with a session in the header or the query, which no browser sends by itself', async () => {
    const { self, token } = await signedIn();
    const header = { headers: { ...CROSS_SITE, authorization: `Bearer ${token}` } };
    const query = { headers: CROSS_SITE, rawQueryString: `ptoken=${token}` };
    for (const part of [header, query])
      expect(await outcome({ unsafe: true }, { method: 'POST', ...part })).toMatchObject({
        caller: { id: self.id },
      });
  });
});

describe('the answer', () => {
  /** What has happened after all that happens at once. */
  const soon = async (work: Promise<void>) => {
    let done = false;
    void work.then(() => {
      done = true;
    });
    await new Promise(setImmediate);
    return done;
  };

  test.each(['after', 'onError'] as const)(
    'waits a while for the activity to be recorded, but not for ever: %s',
    async (step) => {
      const { headers } = await caller();
      wire.script((operation) => (operation === 'TransactWriteItems' ? 'hang' : undefined));
      const request = meet({}, { headers });
      await request.before();
      const settled = request[step]();
      expect(await soon(settled)).toBe(false);
      await expect(settled).resolves.toBeUndefined();
    },
  );

  test.each(['after', 'onError'] as const)(
    'waits for nothing where nobody was verified: %s',
    async (step) => {
      const request = meet({}, {});
      await expect(request.before()).rejects.toThrow(Failure);
      expect(await soon(request[step]())).toBe(true);
    },
  );

  test('of a token is given with its use recorded', async () => {
    const { headers, token } = await caller();
    const { before } = meet({}, { headers });
    await before();
    const used = async () => (await get(table, tokenKey(hashApiToken(token))))?.token_used_at;
    await expect.poll(used).toBe('2026-11-20T12:00:00.000');
  });
});
