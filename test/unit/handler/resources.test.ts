import { expect, expectTypeOf, test, vi } from 'vitest';
import * as z from 'zod/mini';
import type { Caller } from '#lib/account/caller';
import { Answer } from '#lib/contract/answer';
import type { Contract, Job } from '#lib/contract/contract';
import { endpoint } from '#lib/handler/endpoint';
import { job } from '#lib/handler/job';
import type { ResourcesOf } from '#lib/handler/resources';
import type { Publish } from '#lib/outbox/publisher';
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
const ISSUES = { ...PLAIN, needs: ['resource-key:read'] } as const satisfies Contract;
const BOTH = { ...PLAIN, needs: ['signing-key:read', 'events:PutEvents'] } as const satisfies Contract;

/** The resources in the runtime of a rule. */
const rule = (_request: unknown, runtime: object) => ({
  opened: ['publish', 'signingKey', 'resourceKey', 'secrets'].filter((name) => name in runtime),
});
const payloadOf = async (handler: Parameters<typeof call>[0]) => (await call(handler)).payload;

test('a rule has the resources that its needs name, opened once', async () => {
  const opener = vi.fn(() => publish);
  const handler = endpoint(
    BOTH,
    (request, runtime) => {
      expectTypeOf(runtime.publish).toEqualTypeOf<Publish>();
      expectTypeOf(runtime.signingKey).toEqualTypeOf<() => Promise<SigningKey>>();
      expect([runtime.publish, runtime.signingKey]).toEqual([publish, signingKey]);
      return rule(request, runtime);
    },
    { publish: opener, signingKey: () => signingKey },
  );
  for (const _ of [1, 2]) expect(await payloadOf(handler)).toEqual({ opened: ['publish', 'signingKey'] });
  expect(opener).toHaveBeenCalledOnce();
});

test('a rule has the key of each use that its needs name, and they are not the same', async () => {
  const KEYS = { ...PLAIN, needs: ['signing-key:read', 'resource-key:read'] } as const satisfies Contract;
  const resourceKey = async () => ({ kid: 'key-2' }) as SigningKey;
  const handler = endpoint(
    KEYS,
    (request, runtime) => {
      expectTypeOf(runtime.resourceKey).toEqualTypeOf<() => Promise<SigningKey>>();
      expect([runtime.signingKey, runtime.resourceKey]).toEqual([signingKey, resourceKey]);
      return rule(request, runtime);
    },
    { signingKey: () => signingKey, resourceKey: () => resourceKey },
  );
  expect(await payloadOf(handler)).toEqual({ opened: ['signingKey', 'resourceKey'] });
  expectTypeOf<keyof ResourcesOf<typeof ISSUES>>().toEqualTypeOf<'resourceKey'>();
});

test('a rule has no other resources', async () => {
  expectTypeOf<keyof ResourcesOf<typeof PLAIN>>().toEqualTypeOf<never>();
  expectTypeOf<ResourcesOf<typeof PUBLISHES>>().toEqualTypeOf<{ readonly publish: Publish }>();
  const publishes = endpoint(PUBLISHES, rule, { publish: () => publish });
  expect(await payloadOf(publishes)).toEqual({ opened: ['publish'] });
  expect(await payloadOf(endpoint(PLAIN, rule))).toEqual({ opened: [] });
});

test('a rule has its request in the types of its contract', () => {
  const TYPED = {
    ...PLAIN,
    access: 'authenticated',
    accounts: ['one', 'other'],
    params: () => z.object({ one: z.string() }),
    body: () => z.strictObject({ n: z.int() }),
  } as const satisfies Contract;
  type Request<C extends Contract> = Parameters<Parameters<typeof endpoint<C>>[1]>[0];
  expectTypeOf<Request<typeof TYPED>['caller']>().toEqualTypeOf<Caller>();
  expectTypeOf<Request<typeof TYPED>['accounts']['length']>().toEqualTypeOf<2>();
  expectTypeOf<Request<typeof TYPED>['params']>().toEqualTypeOf<{ one: string }>();
  expectTypeOf<Request<typeof TYPED>['query']>().toEqualTypeOf<Record<string, never>>();
  expectTypeOf<Request<typeof TYPED>['body']>().toEqualTypeOf<{ n: number }>();
  expectTypeOf<Request<typeof PLAIN>['caller']>().toEqualTypeOf<undefined>();
  expectTypeOf<Request<typeof PLAIN>['accounts']>().toEqualTypeOf<readonly []>();
  expectTypeOf<Request<typeof PLAIN>['body']>().toEqualTypeOf<undefined>();
});

test('the compiler refuses an answer of another shape', async () => {
  // @ts-expect-error: the response has `opened`
  expect(await payloadOf(endpoint(PLAIN, () => ({ closed: ['a'] })))).toEqual({ closed: ['a'] });
  // @ts-expect-error: the items of `opened` are texts
  expect(await payloadOf(endpoint(PLAIN, async () => ({ opened: [1] })))).toEqual({ opened: [1] });
  // @ts-expect-error: `opened` is an array
  expect(await payloadOf(endpoint(PLAIN, () => new Answer({ opened: 'a' })))).toEqual({ opened: 'a' });
});

test('the compiler refuses openers other than those that the needs name', async () => {
  // @ts-expect-error: the need is of the bus, and nothing opens it
  expect(await payloadOf(endpoint(PUBLISHES, rule))).toEqual({ opened: [] });
  // @ts-expect-error: the signing key is missing
  endpoint(BOTH, rule, { publish: () => publish });
  // @ts-expect-error: no need names the signing key
  endpoint(PUBLISHES, rule, { publish: () => publish, signingKey: () => signingKey });
  // @ts-expect-error: the key of other services is missing, and no need names that of sessions
  endpoint(ISSUES, rule, { signingKey: () => signingKey });
  // @ts-expect-error: a signing key publishes nothing
  endpoint(PUBLISHES, rule, { publish: () => signingKey });
});

test('the resources of a job are those that its needs name', async () => {
  const trigger = { everyMinutes: 1 };
  const RELAY = { id: 'test.job', summary: '', trigger, needs: ['events:PutEvents'] } as const satisfies Job;
  const run = async (event: object, runtime: object) => rule(event, runtime);
  const relay = job(RELAY, run, { publish: () => publish });
  expect(await relay({}, invocation())).toEqual({ opened: ['publish'] });
  // @ts-expect-error: the need is of the bus, and nothing opens it
  expect(await job(RELAY, run)({}, invocation())).toEqual({ opened: [] });
});
