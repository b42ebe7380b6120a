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
import { call, invocation, OPEN } from '../support/endpoints.ts';
import { logLines } from '../support/log-lines.ts';

logLines();
vi.stubEnv('TABLE_NAME', 'table').stubEnv('INSTANCE', 'test');

const publish: Publish = async () => [];
const signingKey = async () => ({ kid: 'key-1' }) as SigningKey;

const PLAIN = {
  ...OPEN,
  needs: ['table:GetItem:ACCOUNT'],
  response: () => z.strictObject({ opened: z.array(z.string()) }),
} as const satisfies Contract;
const PUBLISHES = { ...PLAIN, needs: ['events:PutEvents'] } as const satisfies Contract;
const SIGNS = { ...PLAIN, needs: ['signing-key:read'] } as const satisfies Contract;
const BOTH = { ...PLAIN, needs: ['signing-key:read', 'events:PutEvents'] } as const satisfies Contract;

/** The resources in the runtime of a rule. */
const rule = (_request: unknown, runtime: object) => ({
  opened: ['publish', 'signingKey', 'secrets'].filter((name) => name in runtime),
});
const payloadOf = async (handler: Parameters<typeof call>[0]) => (await call(handler)).payload;

describe('a rule', () => {
  test('has the resources that its needs name, as they were opened', async () => {
    const handler = endpoint(
      BOTH,
      (request, runtime) => {
        expectTypeOf(runtime.publish).toEqualTypeOf<Publish>();
        expectTypeOf(runtime.signingKey).toEqualTypeOf<() => Promise<SigningKey>>();
        expect([runtime.publish, runtime.signingKey]).toEqual([publish, signingKey]);
        return rule(request, runtime);
      },
      { publish: () => publish, signingKey: () => signingKey },
    );
    expect(await payloadOf(handler)).toEqual({ opened: ['publish', 'signingKey'] });
  });

  test('has no other resources', async () => {
    expectTypeOf<ResourcesOf<typeof PLAIN>>().toEqualTypeOf<object>();
    const signs = (request: unknown, runtime: ResourcesOf<typeof SIGNS>) => {
      // @ts-expect-error: no need names the bus
      expect(runtime.publish).toBeUndefined();
      return rule(request, runtime);
    };
    const publishes = (request: unknown, runtime: ResourcesOf<typeof PUBLISHES>) => {
      // @ts-expect-error: no need names the signing key
      expect(runtime.signingKey).toBeUndefined();
      return rule(request, runtime);
    };
    const signing = endpoint(SIGNS, signs, { signingKey: () => signingKey });
    expect(await payloadOf(signing)).toEqual({ opened: ['signingKey'] });
    const publishing = endpoint(PUBLISHES, publishes, { publish: () => publish });
    expect(await payloadOf(publishing)).toEqual({ opened: ['publish'] });
    expect(await payloadOf(endpoint(PLAIN, rule))).toEqual({ opened: [] });
  });

  test('answers its response, with or without more', async () => {
    const data = { opened: ['a'] } as const;
    const withMore = () => new Answer(data, { cookies: ['a=1'] });
    expect(await payloadOf(endpoint(PLAIN, () => data))).toEqual(data);
    expect(await payloadOf(endpoint(PLAIN, withMore))).toEqual(data);
  });

  test('has its request in the types of its contract', async () => {
    const TYPED = {
      ...PLAIN,
      access: 'authenticated',
      accounts: ['one', 'other'],
      params: () => z.object({ one: z.string() }),
      body: () => z.strictObject({ n: z.int() }),
    } as const satisfies Contract;
    endpoint(TYPED, ({ caller, accounts, params, query, body }) => {
      expectTypeOf(caller.username).toEqualTypeOf<string>();
      expectTypeOf(accounts[1].username).toEqualTypeOf<string>();
      expectTypeOf(params).toEqualTypeOf<{ one: string }>();
      expectTypeOf(query).toEqualTypeOf<Record<string, never>>();
      expectTypeOf(body).toEqualTypeOf<{ n: number }>();
      // @ts-expect-error: the path names two accounts
      expectTypeOf(accounts[2]).toBeUndefined();
      return { opened: [] };
    });
    const open = endpoint(PLAIN, ({ caller, accounts, body }) => {
      expectTypeOf(caller).toEqualTypeOf<undefined>();
      expectTypeOf(accounts).toEqualTypeOf<readonly []>();
      expectTypeOf(body).toEqualTypeOf<undefined>();
      return { opened: [] };
    });
    expect((await call(open)).status).toBe(200);
  });
});

describe('the compiler refuses', () => {
  test('an answer of another shape', async () => {
    const otherKey = () => ({ closed: ['a'] });
    const otherItems = async () => ({ opened: ['a', 1] });
    const otherAnswer = () => new Answer({ opened: 'a' });
    // @ts-expect-error: the response has `opened`
    expect(await payloadOf(endpoint(PLAIN, otherKey))).toEqual({ closed: ['a'] });
    // @ts-expect-error: the items of `opened` are texts
    expect(await payloadOf(endpoint(PLAIN, otherItems))).toEqual({ opened: ['a', 1] });
    // @ts-expect-error: `opened` is an array
    expect(await payloadOf(endpoint(PLAIN, otherAnswer))).toEqual({ opened: 'a' });
  });

  test('openers other than those that the needs name', async () => {
    // @ts-expect-error: the need is of the bus, and nothing opens it
    const none = endpoint(PUBLISHES, rule);
    // @ts-expect-error: the signing key is missing
    const oneOfTwo = endpoint(BOTH, rule, { publish: () => publish });
    // @ts-expect-error: no need names the bus
    const unneeded = endpoint(PLAIN, rule, { publish: () => publish });
    // @ts-expect-error: no need names the signing key
    const oneMore = endpoint(PUBLISHES, rule, { publish: () => publish, signingKey: () => signingKey });
    // @ts-expect-error: a signing key publishes nothing
    const another = endpoint(PUBLISHES, rule, { publish: () => signingKey });
    const opened = await Promise.all([none, oneOfTwo, unneeded, oneMore, another].map(payloadOf));
    const [nothing, one, two] = [
      { opened: [] },
      { opened: ['publish'] },
      { opened: ['publish', 'signingKey'] },
    ];
    expect(opened).toEqual([nothing, one, one, two, one]);
  });
});

describe('the resources', () => {
  test('of an endpoint are opened once', async () => {
    const opener = vi.fn(() => publish);
    const handler = endpoint(PUBLISHES, rule, { publish: opener });
    await call(handler);
    await call(handler);
    expect(opener).toHaveBeenCalledOnce();
  });

  test('are empty without openers', () => {
    expect(open<typeof PLAIN>([], {} as Runtime)).toEqual({});
  });

  test('of a job are those that its needs name', async () => {
    const trigger = { everyMinutes: 1 };
    const RELAY = {
      id: 'test.job',
      summary: '',
      trigger,
      needs: ['events:PutEvents'],
    } as const satisfies Job;
    const run = async (event: object, runtime: object) => rule(event, runtime);
    const relay = job(RELAY, run, { publish: () => publish });
    expect(await relay({}, invocation())).toEqual({ opened: ['publish'] });
    // @ts-expect-error: the need is of the bus, and nothing opens it
    expect(await job(RELAY, run)({}, invocation())).toEqual({ opened: [] });
  });
});
