import { expect, test } from 'vitest';
import { lockAccount } from '#lib/account/lifecycle/lock';
import { removePasskey } from '#lib/passkey/delete';
import { MAX_PASSKEYS } from '#lib/passkey/maxima';
import { by, NOON } from '../support/engine.ts';
import { setAttributes } from '../support/set-attributes.ts';
import { openPasskeys } from './bench.ts';

// Without events, whose counter would serialise the writes of an account.
const { table, wire, runtime, account, stored, user, session, enrol, assert } = await openPasskeys();

const ADMIN = by('admin');

const namesOf = async (of: { username: string }) => Object.keys((await stored(of)).passkeys ?? {}).sort();
/** Does something just before the next write of several items. */
const beforeWrite = (act: () => Promise<unknown>) => wire.before('TransactWriteItems', act);
/** A session that may create further passkeys. */
const confirmed = async (of: Parameters<typeof session>[0]) => ({
  ...(await session(of)),
  auth_time: NOON / 1000,
});

test('of two first passkeys at the same time, one is created', async () => {
  const ada = await account();
  const its = await session(ada);
  const all = await Promise.allSettled([enrol(ada, 'phone', its), enrol(ada, 'key', its)]);
  const refused = all.filter((one) => one.status === 'rejected');
  expect(refused).toMatchObject([{ reason: { code: 'step_up_required' } }]);
  expect(await namesOf(ada)).toHaveLength(1);
});

test('of two passkeys with one name at the same time, one is created', async () => {
  const { account: ada } = await user();
  const its = await confirmed(ada);
  beforeWrite(() => enrol(ada, 'key', its));
  await expect(enrol(ada, 'key', its)).rejects.toMatchObject({ code: 'passkey_exists' });
  expect(await namesOf(ada)).toEqual(['key', 'phone']);
});

test('two passkeys with two names at the same time are created', async () => {
  const { account: ada } = await user();
  const its = await confirmed(ada);
  beforeWrite(() => enrol(ada, 'key', its));
  await enrol(ada, 'tablet', its);
  expect(await namesOf(ada)).toEqual(['key', 'phone', 'tablet']);
});

test('of a tenth and an eleventh passkey at the same time, one is created', async () => {
  const { account: ada } = await user();
  const its = await confirmed(ada);
  for (let n = 2; n < MAX_PASSKEYS; n++) await enrol(await stored(ada), `key-${n}`, its);
  const now = await stored(ada);
  beforeWrite(() => enrol(now, 'key-10', its));
  await expect(enrol(now, 'key-11', its)).rejects.toMatchObject({ code: 'passkey_limit' });
  expect(await namesOf(ada)).toHaveLength(MAX_PASSKEYS);
});

test('a passkey is not created for another account that has got the username meanwhile', async () => {
  const ada = await account();
  const its = await session(ada);
  await setAttributes(table, ada, { id: 'another', passkeys: { phone: 'id' } });
  await expect(enrol(ada, 'key', its)).rejects.toMatchObject({
    code: 'unauthenticated',
    cause: 'account_unknown',
  });
  expect(await namesOf(ada)).toEqual(['phone']);
});

test('the removal of a passkey keeps one that is created meanwhile', async () => {
  const { account: ada } = await user();
  const its = await confirmed(ada);
  beforeWrite(() => enrol(ada, 'key', its));
  await removePasskey(runtime, ada, 'phone', ADMIN);
  expect(await namesOf(ada)).toEqual(['key']);
});

test('of two removals of a passkey at the same time, one succeeds', async () => {
  const { account: ada } = await user();
  beforeWrite(() => removePasskey(runtime, ada, 'phone', ADMIN));
  await expect(removePasskey(runtime, ada, 'phone', ADMIN)).rejects.toMatchObject({
    code: 'passkey_not_found',
  });
});

test('the removal of a passkey and a lock at the same time are two transitions', async () => {
  const { account: ada, device } = await user();
  beforeWrite(() => lockAccount(runtime, ada, ADMIN));
  await removePasskey(runtime, ada, 'phone', ADMIN);
  expect((await stored(ada)).transitions).toBe(2);
  await expect(assert(device)).rejects.toMatchObject({ code: 'invalid_credentials' });
});
