import { expect, test } from 'vitest';
import { isAdministrator } from '#lib/account/administrators';
import { createCode } from '#lib/account/create-code';
import { lockAccount } from '#lib/account/lifecycle/lock';
import { lockTerms } from '#lib/account/lock-terms';
import { authenticator } from '#lib/auth/authenticate';
import { FOREVER } from '#lib/item/account';
import { verifyProofOf } from '#lib/login/password-login';
import { inspect } from '#lib/oauth/inspect';
import { hashOfCode } from '#lib/password/code';
import { readStatistics } from '#lib/stats/statistics';
import { codeKey } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { createToken } from '#lib/token/create';
import { sessionOf } from '../../auth/sessions.ts';
import { HERE, openLogin, PASSWORD } from '../../login/bench.ts';
import { by, NOON } from '../../support/engine.ts';
import { errorsOf } from '../../support/errors-of.ts';
import { publishKey } from '../../support/signing-keys.ts';

const { table, clock, runtime, user, given, stored, operations, wire } = await openLogin();
const key = await publishKey(table);
const root = by('Root');
const END = NOON + 10 * 60_000;
const CODE = 'AAAA-BBBB-CCCC';

test('lockTerms refuses an end after that of a lock for good', () => {
  const until = '9999-12-31T23:59:59.999Z';
  const message = `Must not be after ${FOREVER}`;
  expect(errorsOf(lockTerms(), { until })).toEqual([{ field: 'until', message }]);
});

test('every kind of credential is refused until a lock ends, and works from that millisecond on', async () => {
  const ada = await user({ roles: ['sys_administrator'] });
  const token = (await createToken(runtime, ada, 'ci', root)).value as string;
  const before = await sessionOf(runtime, key, ada);
  await createCode(runtime, ada, {});
  await lockAccount(runtime, ada, root, { until: END });

  // Nobody gets the new stamp or a new code during the lock; even these would be refused.
  const locked = await stored(ada);
  const session = await sessionOf(runtime, key, locked);
  const sha256 = hashOfCode(CODE) as string;
  await put(table, codeKey(ada.username), { sha256, expires_at: END + 1, ttl: END });
  await given(ada, { pair: { known_at: NOON, known_stamp: locked.stamp } });
  const authenticate = authenticator(runtime, true);
  const proves = (address: string, proof: { password: string } | { code: string }) => async () => {
    const { places, account } = await verifyProofOf(runtime, ada.username, proof, address);
    await places.release();
    return account;
  };
  const kinds: Readonly<Record<string, () => Promise<unknown>>> = {
    'an API token': () => authenticate({ kind: 'api-token', value: token, address: undefined }),
    'a session': () => authenticate(session),
    'an introspected token': async () => (await inspect(authenticate, token)).active || Promise.reject(),
    'a password': proves('192.0.2.9', { password: PASSWORD }),
    'a password from a known address': proves(HERE, { password: PASSWORD }),
    'a one-time code': proves('192.0.2.10', { code: CODE }),
    'a new code': () => createCode(runtime, locked, {}),
    'an administrator': async () => isAdministrator(locked, clock.time) || Promise.reject(),
  };
  // One after another: a new code replaces the one before.
  const accepted = async () => {
    const names: string[] = [];
    for (const [name, use] of Object.entries(kinds))
      await use().then(
        () => names.push(name),
        () => undefined,
      );
    return names;
  };
  for (const time of [NOON, END - 1]) {
    clock.time = time;
    expect(await accepted()).toEqual([]);
  }
  clock.time = END;
  expect(await accepted()).toEqual(Object.keys(kinds));
  await expect(authenticate(before)).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('the statistics count a lock until its end, which writes nothing', async () => {
  const [{ username }, time] = [await user(), NOON + 30_000];
  const lockedAt = async (now: number) => (await readStatistics(table, now)).locked;
  const others = await Promise.all([NOON, time].map(lockedAt));
  await lockAccount(runtime, await stored({ username }), root, { until: time });
  wire.reset();
  expect(await Promise.all([NOON, time].map(lockedAt))).toEqual(others.map((n) => n + 1));
  expect(await lockedAt(time + 10_000)).toBe(others[1]);
  expect(operations().filter((operation) => /Write|Put|Update/.test(operation))).toEqual([]);
});
