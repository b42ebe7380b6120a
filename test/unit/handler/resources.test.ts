import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { Answer } from '#lib/contract/answer';
import type { Contract, Job } from '#lib/contract/contract';
import { endpoint } from '#lib/handler/endpoint';
import { job } from '#lib/handler/job';
import { open, type ResourcesOf } from '#lib/handler/resources';
import type { Publish } from '#lib/outbox/publisher';
import type { Runtime } from '#lib/runtime';
import type { SigningKey } from '#lib/session/session-token';
import { call, invocation } from '../support/endpoints.ts';
import { logLines } from '../support/log-lines.ts';

logLines();

vi.stubEnv('TABLE_NAME', 'table').stubEnv('INSTANCE', 'test');

const publish: Publish = async () => [];
const signingKey = async () => ({ kid: 'key-1' }) as SigningKey;

const PLAIN = {
  id: 'test.plain',
  summary: '',
  method: 'GET',
  path: '/test/plain',
  access: 'public',
  needs: ['table:GetItem:ACCOUNT'],
  response: () => z.strictObject({ opened: z.array(z.string()) }),
} as const satisfies Contract;
const PUBLISHES = { ...PLAIN, needs: ['events:PutEvents'] } as const satisfies Contract;
const SIGNS = { ...PLAIN, needs: ['signing-key:read'] } as const satisfies Contract;
const BOTH = { ...PLAIN, needs: ['signing-key:read', 'events:PutEvents'] } as const satisfies Contract;

/** Which resources a rule finds in its runtime. */
const opened = (runtime: object) => ({
  opened: ['publish', 'signingKey', 'secrets'].filter((name) => name in runtime),
});
const openedOf = async (handler: Parameters<typeof call>[0]) =>
  ((await call(handler)).payload as ReturnType<typeof opened>).opened;

describe('a rule is given', () => {
  test('the publisher where its needs name the bus, and nothing else', async () => {
    const handler = endpoint(
      PUBLISHES,
      (_request, runtime) => {
        expectTypeOf(runtime.publish).toEqualTypeOf<Publish>();
        expect(runtime.publish).toBe(publish);
        // @ts-expect-error: no need leads to the signing key
        expect(runtime.signingKey).toBeUndefined();
        return opened(runtime);
      },
      { publish: () => publish },
    );
    expect(await openedOf(handler)).toEqual(['publish']);
  });

  test('the signing key where its needs name it, and nothing else', async () => {
    const handler = endpoint(
      SIGNS,
      (_request, runtime) => {
        expectTypeOf(runtime.signingKey).toEqualTypeOf<() => Promise<SigningKey>>();
        expect(runtime.signingKey).toBe(signingKey);
        // @ts-expect-error: no need leads to the bus
        expect(runtime.publish).toBeUndefined();
        return opened(runtime);
      },
      { signingKey: () => signingKey },
    );
    expect(await openedOf(handler)).toEqual(['signingKey']);
  });

  test('both where its needs name both', async () => {
    const handler = endpoint(BOTH, (_request, runtime) => opened(runtime), {
      publish: () => publish,
      signingKey: () => signingKey,
    });
    expect(await openedOf(handler)).toEqual(['publish', 'signingKey']);
  });

  test('neither where its needs name neither', async () => {
    expectTypeOf<ResourcesOf<typeof PLAIN>>().toEqualTypeOf<object>();
    const handler = endpoint(PLAIN, (_request, runtime) => {
      // @ts-expect-error: no need leads to the bus
      expect(runtime.publish).toBeUndefined();
      // @ts-expect-error: no need leads to the signing key
      expect(runtime.signingKey).toBeUndefined();
      return opened(runtime);
    });
    expect(await openedOf(handler)).toEqual([]);
  });
});

describe('it is an error of the compiler, and a resource too few or too many,', () => {
  const rule = (_request: unknown, runtime: object) => opened(runtime);

  test('to leave out the openers', async () => {
    // @ts-expect-error: the need is of the bus, and nothing opens it
    const handler = endpoint(PUBLISHES, rule);
    expect(await openedOf(handler)).toEqual([]);
  });

  test('to leave out one of two openers', async () => {
    // @ts-expect-error: the signing key is missing
    const handler = endpoint(BOTH, rule, { publish: () => publish });
    expect(await openedOf(handler)).toEqual(['publish']);
  });

  test('to open what no need leads to', async () => {
    // @ts-expect-error: there is no need of the bus
    const handler = endpoint(PLAIN, rule, { publish: () => publish });
    expect(await openedOf(handler)).toEqual(['publish']);
  });

  test('to open more than the needs lead to', async () => {
    const openers = { publish: () => publish, signingKey: () => signingKey };
    expect(Object.keys(open<typeof BOTH>([openers], {} as Runtime))).toEqual(['publish', 'signingKey']);
    // @ts-expect-error: there is no need of the signing key
    const handler = endpoint(PUBLISHES, rule, { publish: () => publish, signingKey: () => signingKey });
    expect(await openedOf(handler)).toEqual(['publish', 'signingKey']);
  });

  test('to open one resource as another', async () => {
    // @ts-expect-error: a signing key publishes nothing
    const handler = endpoint(PUBLISHES, rule, { publish: () => signingKey });
    expect(await openedOf(handler)).toEqual(['publish']);
  });
});

describe('a rule may answer', () => {
  test('its response, alone or with more to say', async () => {
    const data = { opened: ['a'] } as const;
    const withMore = () => new Answer(data, { cookies: ['a=1'] });
    expect((await call(endpoint(PLAIN, () => data))).payload).toEqual(data);
    expect((await call(endpoint(PLAIN, withMore))).payload).toEqual(data);
  });

  test('nothing of another shape: the compiler refuses it', async () => {
    const otherKey = () => ({ closed: ['a'] });
    const otherType = async () => ({ opened: ['a', 1] });
    const otherAnswer = () => new Answer({ opened: 'a' });
    // @ts-expect-error: the response has `opened`
    expect((await call(endpoint(PLAIN, otherKey))).payload).toEqual({ closed: ['a'] });
    // @ts-expect-error: the items of `opened` are texts
    expect((await call(endpoint(PLAIN, otherType))).payload).toEqual({ opened: ['a', 1] });
    // @ts-expect-error: `opened` is an array
    expect((await call(endpoint(PLAIN, otherAnswer))).payload).toEqual({ opened: 'a' });
  });
});

describe('a rule is given its request in the types of its contract:', () => {
  const TYPED = {
    ...PLAIN,
    access: 'authenticated',
    accounts: ['one', 'other'],
    params: () => z.object({ one: z.string() }),
    body: () => z.strictObject({ n: z.int() }),
  } as const satisfies Contract;

  test('caller, accounts, parameters, query and body', () => {
    const handler = endpoint(TYPED, ({ caller, accounts, params, query, body }) => {
      expectTypeOf(caller.username).toEqualTypeOf<string>();
      expectTypeOf(accounts[1].username).toEqualTypeOf<string>();
      expectTypeOf(params).toEqualTypeOf<{ one: string }>();
      expectTypeOf(query).toEqualTypeOf<Record<string, never>>();
      expectTypeOf(body).toEqualTypeOf<{ n: number }>();
      // @ts-expect-error: the path names two accounts
      expectTypeOf(accounts[2]).toBeUndefined();
      return { opened: [] };
    });
    expect(handler).toBeTypeOf('function');
  });

  test('no caller where anyone may call, and no body where there is none', async () => {
    const handler = endpoint(PLAIN, ({ caller, accounts, body }) => {
      expectTypeOf(caller).toEqualTypeOf<undefined>();
      expectTypeOf(accounts).toEqualTypeOf<readonly []>();
      expectTypeOf(body).toEqualTypeOf<undefined>();
      expect([caller, accounts, body]).toEqual([undefined, [], undefined]);
      return { opened: [] };
    });
    expect((await call(handler)).status).toBe(200);
  });
});

describe('the resources of a function', () => {
  test('are opened once, when it is built, and are the same for every request', async () => {
    const opener = vi.fn(() => publish);
    const handler = endpoint(PUBLISHES, (_request, runtime) => opened(runtime), { publish: opener });
    expect(opener).toHaveBeenCalledOnce();
    await call(handler);
    await call(handler);
    expect(opener).toHaveBeenCalledOnce();
  });

  test('are none without openers', () => {
    expect(open<typeof PLAIN>([], {} as Runtime)).toEqual({});
  });

  test('of a job are those of its needs alike', async () => {
    const trigger = { everyMinutes: 1 };
    const RELAY = {
      id: 'test.job',
      summary: '',
      trigger,
      needs: ['events:PutEvents'],
    } as const satisfies Job;
    const IDLE = { ...RELAY, needs: [] } as const satisfies Job;
    const run = async (_event: object, runtime: object) => opened(runtime);
    expect(await job(RELAY, run, { publish: () => publish })({}, invocation())).toEqual({
      opened: ['publish'],
    });
    expect(await job(IDLE, run)({}, invocation())).toEqual({ opened: [] });
    // @ts-expect-error: the need is of the bus, and nothing opens it
    expect(await job(RELAY, run)({}, invocation())).toEqual({ opened: [] });
    // @ts-expect-error: there is no need of the bus
    expect(await job(IDLE, run, { publish: () => publish })({}, invocation())).toEqual({
      opened: ['publish'],
    });
  });
});
