import { describe, expect, test } from 'vitest';
import type { Account } from '#lib/item/account';
import { accountKey, tokenKey, tokenNameKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { createLoginToken, createToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import type { CreatedToken } from '#lib/token/record';
import { hashApiToken } from '#lib/token/secret';
import { by, openTestTable } from '../support/engine.ts';

const { table, wire, runtime, account, operations } = await openTestTable();

const hashOf = ({ value }: CreatedToken) => hashApiToken(value);
const create = (owner: Account, name: string) => createToken(runtime, owner, name, by('admin'));
const countOf = async ({ username }: Account) => (await get(table, accountKey(username)))?.token_count;
const stands = async (token: CreatedToken) => (await get(table, tokenKey(hashOf(token)))) !== undefined;
const isNamed = async ({ username }: Account, name: string) =>
  (await get(table, tokenNameKey(username, name))) !== undefined;
const notFound = { code: 'token_not_found' };

/** The first read of a name finds this token, whatever stands in the table. */
const misread = (token: CreatedToken) => {
  wire.reset();
  wire.script((operation) =>
    operation === 'GetItem' && operations().filter((each) => each === 'GetItem').length === 1
      ? { status: 200, body: { Item: { sha256: { S: hashOf(token) } } } }
      : undefined,
  );
};

describe('a token that is deleted', () => {
  test('is gone with its name, and counts no more', async () => {
    const ada = await account();
    const [token, kept] = [await create(ada, 'ci'), await create(ada, 'kept')];
    expect(await deleteToken(runtime, ada, 'ci', by('admin'))).toEqual({
      username: ada.username,
      name: 'ci',
    });
    expect([await stands(token), await isNamed(ada, 'ci')]).toEqual([false, false]);
    expect([await stands(kept), await isNamed(ada, 'kept')]).toEqual([true, true]);
    expect(await countOf(ada)).toBe(1);
  });

  test('can be made again under its name', async () => {
    const ada = await account();
    await create(ada, 'ci');
    await deleteToken(runtime, ada, 'ci', by('admin'));
    expect(await stands(await create(ada, 'ci'))).toBe(true);
    expect(await countOf(ada)).toBe(1);
  });

  test('is deleted once, however many ask at once', async () => {
    const ada = await account();
    await create(ada, 'ci');
    const all = await Promise.allSettled(
      Array.from({ length: 3 }, () => deleteToken(runtime, ada, 'ci', by('admin'))),
    );
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const each of all) if (each.status === 'rejected') expect(each.reason).toMatchObject(notFound);
    expect(await countOf(ada)).toBe(0);
  });

  test('is the one that has taken the name meanwhile', async () => {
    const ada = await account();
    const first = await createLoginToken(runtime, ada, by(ada.username));
    const second = await createLoginToken(runtime, ada, by(ada.username));
    misread(first);
    await deleteToken(runtime, ada, 'logintoken', by('admin'));
    expect(operations()).toEqual(['GetItem', 'TransactWriteItems', 'TransactWriteItems']);
    expect([await stands(second), await isNamed(ada, 'logintoken')]).toEqual([false, false]);
    expect(await countOf(ada)).toBe(0);
  });
});

describe('a token is not found', () => {
  test('that was never made, or is of another account', async () => {
    const [ada, bob] = [await account(), await account()];
    const token = await create(bob, 'ci');
    wire.reset();
    await expect(deleteToken(runtime, ada, 'ci', by('admin'))).rejects.toMatchObject(notFound);
    await expect(deleteToken(runtime, bob, 'CI', by('admin'))).rejects.toMatchObject(notFound);
    expect(operations()).toEqual(['GetItem', 'GetItem']);
    expect([await countOf(ada), await countOf(bob), await stands(token)]).toEqual([0, 1, true]);
  });

  test('that was deleted meanwhile, and is not counted down again', async () => {
    const ada = await account();
    const [token] = [await create(ada, 'ci'), await create(ada, 'kept')];
    await deleteToken(runtime, ada, 'ci', by('admin'));
    misread(token);
    await expect(deleteToken(runtime, ada, 'ci', by('admin'))).rejects.toMatchObject(notFound);
    expect(await countOf(ada)).toBe(1);
  });
});
