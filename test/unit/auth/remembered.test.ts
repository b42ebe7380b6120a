import { beforeEach, describe, expect, test } from 'vitest';
import { accountCacheMs } from '#lib/auth/account-cache';
import { type Authenticate, authenticator } from '#lib/auth/authenticate';
import type { Credential } from '#lib/auth/credential';
import { type Account, FOREVER } from '#lib/item/account';
import { accountKey } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { withoutZone } from '#lib/time';
import { CONFLICT, DOWN, type Fault } from '../../wire/dynamodb-proxy.ts';
import { NOON, openTestTable } from '../support/engine.ts';
import { publishKey } from '../support/signing-keys.ts';
import { OUTAGE, type Subject, sessionOf, UNAUTHENTICATED } from './sessions.ts';

const { table, wire, clock, runtime, account, operations } = await openTestTable();

const key = await publishKey(table);
/** Like {@link authenticator}, but it waits for the record of the use, so that no write reaches the next test. */
const recording = (...of: Parameters<typeof authenticator>): Authenticate => {
  const authenticate = authenticator(...of);
  return async (...request) => {
    const verified = await authenticate(...request);
    await verified.recorded;
    return verified;
  };
};
let authenticate: Authenticate;
let ada: Account;
let credential: Credential;
beforeEach(async () => {
  authenticate = recording(runtime, 0);
  ada = await account();
  credential = await session(ada);
});

const session = (of: Subject) => sessionOf(runtime, key, of);
const change = (of: Account, part: Partial<Account>) =>
  put(table, accountKey(of.username), { ...of, ...part });
/** Makes the table unreachable from now on. */
const failing = (fault: Fault = DOWN) => wire.script(() => fault);
const isRefused = (attempt: Promise<unknown>) => expect(attempt).rejects.toMatchObject(UNAUTHENTICATED);
const isOutage = (attempt: Promise<unknown>) => expect(attempt).rejects.toMatchObject(OUTAGE);

test('during an outage, an account answers for its session for a minute after the start of its last read', async () => {
  await authenticate(credential);
  clock.time = NOON + 50_000;
  wire.script(() => {
    clock.time += 2000;
    return undefined;
  });
  await authenticate(credential);
  failing();
  clock.time = NOON + 110_000;
  const { caller, accounts } = await authenticate(credential);
  expect([caller.id, accounts]).toEqual([ada.id, []]);
  clock.time += 1;
  await isOutage(authenticate(credential));
});

test('a remembered account does not answer while ends of its sessions are in items of their own', async () => {
  await change(ada, { ended_until: NOON / 1000 });
  await authenticate(credential);
  failing();
  await isOutage(authenticate(credential));
});

test('during an outage, an account answers after a request that named other accounts too', async () => {
  await authenticate(credential, ['nobody']);
  failing();
  expect((await authenticate(credential)).caller.id).toBe(ada.id);
});

test.each([
  ['for an endpoint that writes or reports the account', undefined],
  ['in another execution environment', 0],
])('during an outage, an account does not answer %s', async (_title, cacheMs) => {
  await authenticate(credential);
  const other = recording(runtime, cacheMs);
  await other(cacheMs === undefined ? credential : await session(await account()));
  failing();
  await isOutage(other(credential));
});

test('during an outage, an account does not answer for a session of another account, stamp or id', async () => {
  await authenticate(credential);
  const others = [await account(), { ...ada, stamp: 'old' }, { ...ada, id: 'other' }];
  const sessions = await Promise.all(others.map(session));
  failing();
  for (const other of sessions) await isOutage(authenticate(other));
});

test.each<[string, Partial<Account>]>([
  ['cancelled', { isactive: false }],
  ['locked by an administrator', { lockoutend: FOREVER }],
])('during an outage, an account does not answer when it was %s at its last read', async (_title, part) => {
  await authenticate(credential);
  await change(ada, part);
  await isRefused(authenticate(credential));
  failing();
  await isOutage(authenticate(credential));
});

test.each<[string, Fault]>([
  ['ValidationException', { status: 400, body: { __type: 'com.amazon.coral#ValidationException' } }],
  ['TransactionConflictException', CONFLICT],
])('during an outage, an account does not answer when the failure is no outage: %s', async (name, fault) => {
  await authenticate(credential);
  failing(fault);
  await expect(authenticate(credential)).rejects.toMatchObject({ name });
});

describe('with a cache of ten seconds', () => {
  const SECONDS = 10;
  const cacheMs = accountCacheMs({ ...runtime.settings, SecurityStampCacheSeconds: SECONDS });
  const END = NOON + SECONDS * 1000;
  const USED = { never_used: false, lastActivity: withoutZone(NOON) };
  const sent = async (usernames: readonly string[] = []) => {
    wire.reset();
    await authenticate(credential, usernames);
    return operations();
  };
  beforeEach(async () => {
    authenticate = recording(runtime, cacheMs);
    // The first use is written, and the second reads it.
    for (let n = 0; n < 2; n++) await authenticate(credential);
  });

  test('a session costs no read until they have passed', async () => {
    clock.time = NOON + 4999;
    expect(await sent()).toEqual([]);
    clock.time = END;
    expect(await sent()).toEqual(['Query']);
    clock.time = END + 1;
    expect(await sent()).toEqual(['GetItem']);
  });

  test.each<Partial<Account>>([{ lockoutend: FOREVER }, { stamp: 'new' }])(
    'a change acts after them: %o',
    async (part) => {
      await change(ada, { ...part, ...USED });
      clock.time = END;
      expect((await authenticate(credential)).caller.username).toBe(ada.username);
      clock.time = END + 1;
      await isRefused(authenticate(credential));
    },
  );

  test('an account is read when others are read with it, and when its use is due', async () => {
    expect(await sent([(await account()).username])).toEqual(['BatchGetItem']);
    await change(ada, { never_used: false, lastActivity: withoutZone(NOON - 59_999) });
    clock.time = END + 1;
    await authenticate(credential);
    expect(await sent()).toContain('GetItem');
  });

  test('an account is read for an endpoint that reports it', async () => {
    authenticate = recording(runtime);
    await authenticate(credential);
    expect(await sent()).toEqual(['GetItem']);
  });

  test('an account is read for a session with a newer stamp', async () => {
    await change(ada, { stamp: 'new', ...USED });
    const renewed = await session({ ...ada, stamp: 'new' });
    expect((await authenticate(renewed)).caller.stamp).toBe('new');
    await isRefused(authenticate(credential));
  });
});
