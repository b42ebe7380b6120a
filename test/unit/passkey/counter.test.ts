import { expect, test } from 'vitest';
import { accountsPage } from '#lib/account/directory/browse';
import type { Account } from '#lib/item/account';
import { removePasskey } from '#lib/passkey/delete';
import { listPasskeys } from '#lib/passkey/list';
import { passkeyIdOf } from '#lib/passkey/passkey';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { by, NOON } from '../support/engine.ts';
import { openPasskeys } from './bench.ts';

const it = await openPasskeys();
const { runtime, clock, wire, stored, user, assert, enrol, session } = it;

const REFUSED = { code: 'invalid_credentials', cause: 'passkey_cloned' };
const FELL_AT = new Date(NOON).toISOString();

/** An account whose passkey has a counter, and was refused by one that did not rise. */
async function fallen(counter = 0) {
  const ada = await user({}, { counter: 5 });
  await expect(assert(ada.device, { counter })).rejects.toMatchObject(REFUSED);
  return { ...ada, id: passkeyIdOf(ada.device.id) };
}
const listed = async (account: Account) =>
  (await listPasskeys(runtime, account, await stored(account))).items;
const browsed = async (counter_fell: boolean) =>
  (await accountsPage(runtime, { counter_fell })).items.map(({ username }) => username);

test.each([0, 4, 5])(
  'a counter that falls from 5 to %d shows at its passkey and in the directory',
  async (counter) => {
    const { account } = await fallen(counter);
    expect(await listed(account)).toMatchObject([{ name: 'phone', counter_fell_at: FELL_AT }]);
    expect(await browsed(true)).toContain(account.username);
    expect(await browsed(false)).not.toContain(account.username);
  },
);

test('a passkey whose counter rises, or that has none, shows nothing', async () => {
  const [risen, without] = [await user({}, { counter: 5 }), await user()];
  await assert(risen.device, { counter: 6 });
  for (const counter of [0, 0]) await assert(without.device, { counter });
  for (const { account } of [risen, without]) {
    expect(await listed(account)).toMatchObject([{ counter_fell_at: null }]);
    expect(await browsed(true)).not.toContain(account.username);
  }
});

test('a refusal for another reason, or of a wrong signature, is not noted', async () => {
  const { account, device } = await user({}, { counter: 5 });
  await expect(assert(device, { counter: 0, origin: 'https://phishing.example' })).rejects.toThrow();
  await expect(assert(device, { counter: 0, isVerified: false })).rejects.toThrow();
  expect((await stored(account)).counters_fell).toBeUndefined();
});

test('further refusals of a passkey write nothing more to its account', async () => {
  const { account, device, id } = await fallen();
  clock.time = NOON + 60_000;
  wire.reset();
  await expect(assert(device, { counter: 0 })).rejects.toMatchObject(REFUSED);
  expect(it.operations()).not.toContain('UpdateItem');
  clock.time = NOON;
  expect((await stored(account)).counters_fell).toEqual({ [id]: FELL_AT });
});

test('the answer is that of every refused login, also when the note fails', async () => {
  const { device } = await user({}, { counter: 5 });
  wire.script((operation) => (operation === 'UpdateItem' ? DOWN : undefined));
  await expect(assert(device, { counter: 0 })).rejects.toMatchObject(REFUSED);
  wire.script(() => undefined);
});

test('a removal ends the note, and the passkey works when it is created again', async () => {
  const { account, device } = await fallen();
  await removePasskey(runtime, await stored(account), 'phone', by(account.username));
  expect((await stored(account)).counters_fell).toBeUndefined();
  await enrol(await stored(account), 'phone', undefined, device);
  await assert(device, { counter: 1 }).catch(() => undefined);
  expect(await listed(account)).toMatchObject([{ counter_fell_at: null }]);
});

test('a removal keeps the notes of other passkeys, and the directory knows those of present ones only', async () => {
  const { account, id } = await fallen();
  const its = { ...(await session(account)), auth_time: NOON / 1000 };
  const other = await enrol(await stored(account), 'key', its, undefined, { counter: 3 });
  expect((await stored(account)).counters_fell).toEqual({ [id]: FELL_AT });
  await removePasskey(runtime, await stored(account), 'key', by(account.username));
  expect((await stored(account)).counters_fell).toEqual({ [id]: FELL_AT });
  await expect(assert(other, { counter: 1 })).rejects.toMatchObject({ cause: 'unknown_passkey' });
  expect((await stored(account)).counters_fell).toEqual({ [id]: FELL_AT });
});
