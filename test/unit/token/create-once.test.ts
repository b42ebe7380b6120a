import { describe, expect, test } from 'vitest';
import { Answer } from '#lib/contract/answer';
import type { Account } from '#lib/item/account';
import { assign } from '#lib/table/expressions';
import { accountKey, madeTokenKey, tokenKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { remove, update } from '#lib/table/write';
import { createTokenOnce } from '#lib/token/create-once';
import { deleteToken } from '#lib/token/delete';
import type { CreatedToken } from '#lib/token/record';
import { hashApiToken } from '#lib/token/secret';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { setAttributes } from '../support/set-attributes.ts';

const { table, wire, clock, runtime, account, operations } = await openTestTable({ Events: 'token_create' });
const DAY = 86_400_000;
const repeatable = { key: 'order 1', credential: 'cst_credential' };

/** The record, whether it is answered for the first time or again. */
async function create(owner: Account, name = 'ci', rest: Partial<typeof repeatable> = {}, caller = 'admin') {
  const answer = await createTokenOnce(runtime, owner, name, by(caller), { ...repeatable, ...rest });
  const record = answer instanceof Answer ? answer.data : answer;
  return { ...record, again: answer instanceof Answer && !answer.changed } as CreatedToken & {
    again: boolean;
  };
}
const countOf = async ({ username }: Account) => (await get(table, accountKey(username)))?.token_count;
let names = 0;
/** An administrator of its own for a test: keys are those of a caller. */
const someone = () => `admin-${names++}`;

describe('the same request again', () => {
  test('answers the same record and secret, and makes nothing', async () => {
    const [ada, admin] = [await account(), someone()];
    const first = await create(ada, 'ci', {}, admin);
    clock.time = NOON + DAY - 1000;
    await update(table, {
      Key: tokenKey(hashApiToken(first.value as string)),
      ...assign({ token_used_at: 'later' }, { name: 'ci' }),
    });
    wire.reset();
    expect(await create(ada, 'ci', {}, admin)).toEqual({ ...first, again: true });
    expect(first.again).toBe(false);
    expect(operations()).toEqual(['GetItem', 'GetItem']);
    expect(await countOf(ada)).toBe(1);
  });

  test('however many come at once, makes one token', async () => {
    const [ada, admin] = [await account(), someone()];
    const all = await Promise.all(Array.from({ length: 8 }, () => create(ada, 'ci', {}, admin)));
    expect(new Set(all.map(({ value }) => value)).size).toBe(1);
    expect(all.filter(({ again }) => !again)).toHaveLength(1);
    expect(await countOf(ada)).toBe(1);
  });

  test('a day later is a new one', async () => {
    const [ada, admin] = [await account(), someone()];
    const first = await create(ada, 'ci', {}, admin);
    clock.time = NOON + DAY;
    await expect(create(ada, 'ci', {}, admin)).rejects.toMatchObject({ code: 'token_exists' });
    const second = await create(ada, 'other', {}, admin);
    expect(second).toMatchObject({ again: false, name: 'other' });
    expect(second.value).not.toBe(first.value);
    expect(await create(ada, 'other', {}, admin)).toEqual({ ...second, again: true });
  });

  test('of another caller is a request of its own', async () => {
    const ada = await account();
    await create(ada, 'ci', {}, someone());
    await expect(create(ada, 'ci', {}, someone())).rejects.toMatchObject({ code: 'token_exists' });
  });

  test('is refused once its token is deleted, and makes no other', async () => {
    const [ada, admin] = [await account(), someone()];
    await create(ada, 'ci', {}, admin);
    await deleteToken(runtime, ada, 'ci', by('ada'));
    await expect(create(ada, 'ci', {}, admin)).rejects.toMatchObject({ code: 'token_deleted' });
    expect(await countOf(ada)).toBe(0);
  });
});

test.each([
  ['name', 'Idempotency-Key', 'other', {}],
  ['credential', 'Authorization', 'ci', { credential: 'cst_other' }],
])('a key is not for another %s', async (_what, field, name, rest) => {
  const [ada, admin] = [await account(), someone()];
  await create(ada, 'ci', {}, admin);
  await expect(create(ada, name, rest, admin)).rejects.toMatchObject({
    code: 'idempotency_key_reused',
    errors: [{ field }],
  });
  expect(await countOf(ada)).toBe(1);
});

test('a key is not for another owner', async () => {
  const admin = someone();
  await create(await account(), 'ci', {}, admin);
  await expect(create(await account(), 'ci', {}, admin)).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  });
});

test('another key is another request', async () => {
  const [ada, admin] = [await account(), someone()];
  await create(ada, 'ci', {}, admin);
  await expect(create(ada, 'ci', { key: '2' }, admin)).rejects.toMatchObject({ code: 'token_exists' });
  expect((await create(ada, 'cd', { key: '2' }, admin)).again).toBe(false);
});

test('what is refused leaves no trace, so the same request may succeed later', async () => {
  const [ada, admin] = [await account(), someone()];
  await setAttributes(table, ada, { token_count: 100 });
  await expect(create(ada, 'ci', {}, admin)).rejects.toMatchObject({ code: 'token_limit' });
  await setAttributes(table, ada, { token_count: 0 });
  expect((await create(ada, 'ci', {}, admin)).again).toBe(false);
});

test('the table holds neither the secret, nor the key, nor the credential, and forgets it after a day', async () => {
  const [ada, admin] = [await account(), someone()];
  const { value } = await create(ada, 'ci', {}, admin);
  const made = await get(table, madeTokenKey(admin, repeatable.key));
  expect(made).toMatchObject({ username: ada.username, name: 'ci', ttl: (NOON + DAY) / 1000 });
  for (const secret of [value as string, repeatable.key, repeatable.credential])
    expect(JSON.stringify(made)).not.toContain(secret);
});

test('an item that vanishes under a race is no reason to make a second token', async () => {
  const [ada, admin] = [await account(), someone()];
  await create(ada, 'ci', {}, admin);
  wire.script((operation) => (operation === 'GetItem' ? { status: 200, body: {} } : undefined));
  await expect(create(ada, 'ci', {}, admin)).rejects.toMatchObject({ code: 'unavailable' });
  wire.reset();
  await remove(table, madeTokenKey(admin, repeatable.key));
  expect(await countOf(ada)).toBe(1);
});
