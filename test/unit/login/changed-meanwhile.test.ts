import { expect, test } from 'vitest';
import { createCode } from '#lib/account/create-code';
import { FOREVER } from '#lib/item/account';
import { type AttemptLimit, PER_ADDRESS, PER_NAME, PER_PAIR } from '#lib/login/attempts';
import { verifyProofOf } from '#lib/login/password-login';
import { put } from '#lib/table/write';
import { withOffset } from '#lib/time';
import { by, NOON } from '../support/engine.ts';
import { setAttributes } from '../support/set-attributes.ts';
import { attempts, CODE_LISTS, HERE, LISTS, openLogin, WRONG } from './bench.ts';

const { table, wire, clock, runtime, operations, logIn, refused, user, given, endOf } = await openLogin();
const { lockoutMs = 0 } = PER_NAME;

test('a login that a lockout refuses does not lock the account when the lockout has ended since', async () => {
  const ada = await user();
  await given(ada, { name: { locked_at: NOON - lockoutMs + 1 } });
  wire.before('PutItem', async () => {
    clock.time = NOON + 1;
  });
  await refused(ada);
  expect(await endOf(ada)).toBeUndefined();
});

test('a lockout does not begin when an administrator clears the failures during the last attempt', async () => {
  const ada = await user();
  await given(ada, { name: { attempts: attempts(PER_NAME.max - 1) } });
  wire.before('PutItem', () => setAttributes(table, ada, { failures_cleared_at: NOON }));
  await refused(ada, WRONG);
  expect(await endOf(ada)).toBeUndefined();
});

const verifying = (limit: AttemptLimit) => ({
  attempts: attempts(limit.max, { from: HERE, at: NOON, pending: true }),
});

test.each([{ lockoutend: FOREVER }, { stamp: 'new' }])(
  'an attempt that waits is decided by the account as it is then: %j',
  async (then) => {
    const ada = await user({ lockoutend: withOffset(NOON + lockoutMs) });
    await given(ada, { pair: { ...verifying(PER_PAIR), known_at: NOON, known_stamp: ada.stamp } });
    const outcome = refused(ada);
    await expect.poll(operations).toContain('GetItem');
    await setAttributes(table, ada, then);
    await put(table, LISTS.pair(ada), { attempts: [], revision: 2 });
    await outcome;
  },
);

test('an attempt that waits verifies the one-time code that is stored after its wait', async () => {
  const ada = await user();
  const { code } = await createCode(runtime, ada, by('admin'), {});
  await given(ada, { codePair: verifying(PER_PAIR) });
  const proved = verifyProofOf(runtime, ada.username, { code }, HERE);
  await expect.poll(operations).toContain('GetItem');
  await put(table, CODE_LISTS.codePair(ada), { attempts: [], revision: 2 });
  expect((await proved).account.id).toBe(ada.id);
});

test('an attempt waits for 8 seconds in all lists together', async () => {
  const ada = await user();
  await given(ada, { pair: verifying(PER_PAIR), address: verifying(PER_ADDRESS) });
  let reads = 0;
  wire.script(async (operation) => {
    if (operation !== 'GetItem') return undefined;
    reads += 1;
    clock.time = NOON + (reads === 1 ? 8000 : 8001);
    if (reads === 1) await put(table, LISTS.pair(ada), { attempts: [], revision: 2 });
    return undefined;
  });
  await expect(logIn(ada)).rejects.toMatchObject({ code: 'too_many_requests', retryAfter: 1 });
  expect(reads).toBe(2);
});
