import { describe, expect, test } from 'vitest';
import { directoryItem } from '#lib/account/directory/item';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { reactivateAccount } from '#lib/account/lifecycle/reactivate';
import type { Account } from '#lib/item/account';
import { accountKey, cancellationKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { createToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import { listTokens } from '#lib/token/list';
import { COLLISION, DOWN } from '../../../wire/dynamodb-proxy.ts';
import { by, NOON, openTestTable } from '../../support/engine.ts';
import { openTestBus } from '../../support/event-bus.ts';
import { setAttributes } from '../../support/set-attributes.ts';

const { table, runtime, account, operations, wire } = await openTestTable();
const bus = await openTestBus();

const publishing = { ...runtime, publish: bus.publish };
const AT = '2026-11-20T12:00:00.000Z';
const root = by('Root');
const stored = async ({ username }: Account) => (await get(table, accountKey(username))) as Account;
const reactivate = (target: Account, revoke_tokens?: boolean) =>
  reactivateAccount(publishing, target, root, { revoke_tokens });

/** An account that was cancelled, with so many API tokens. */
async function cancelled(tokens = 0): Promise<Account> {
  const target = await account({ roles: ['a'], apps: ['core', 'crm'] });
  for (let n = 0; n < tokens; n++) await createToken(runtime, target, `t${n}`, root);
  await cancelAccount(publishing, target, root);
  bus.calls.length = 0;
  wire.reset();
  return stored(target);
}

describe('reactivating', () => {
  test('makes the account active, tells it, and brings no session back', async () => {
    const target = await cancelled(2);
    const { cancelled_at: _, cancelled_by: __, ...rest } = target;
    expect(await reactivate(target)).toEqual({
      ...directoryItem({ ...rest, isactive: true }, NOON),
      changed: true,
      tokens_revived: 2,
      tokens_revoked: 0,
    });
    expect(await stored(target)).toEqual({ ...rest, isactive: true, transitions: 2 });
    expect(await get(table, cancellationKey(target.username, AT))).toBeUndefined();
    expect(bus.details()).toEqual([
      [
        {
          version: '1',
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          hook: '[core].[user_reactivate]',
          app: 'core',
          apps: ['core', 'crm'],
          username: target.username,
          userid: target.id,
          transition: 2,
          reactivated_at: AT,
          reactivated_by: 'Root',
          tokens_revived: 2,
          tokens_revoked: 0,
          teams: [],
          roles: ['a'],
          requestID: 'request-1',
        },
      ],
    ]);
  });

  test('of an active account changes and tells nothing, and revokes no token', async () => {
    const target = await account();
    await createToken(runtime, target, 'kept', root);
    wire.reset();
    expect(await reactivate(target, true)).toEqual({
      ...directoryItem(target, NOON),
      changed: false,
      tokens_revived: 0,
      tokens_revoked: 0,
    });
    expect(operations()).toEqual([]);
    expect(bus.calls).toEqual([]);
  });

  test('of an account that an earlier version has cancelled finds no entry to remove', async () => {
    const target = await setAttributes(table, await account(), { isactive: false });
    expect(await reactivate(target)).toMatchObject({ isactive: true, cancelled_at: null, changed: true });
    expect(await stored(target)).toMatchObject({ isactive: true, transitions: 1 });
  });

  test('makes room for another cancellation, whose event comes after it', async () => {
    const target = await cancelled();
    await reactivate(target);
    await cancelAccount(publishing, await stored(target), root);
    const details = bus.details().flat() as { id: string; transition: number }[];
    expect(details.map(({ transition }) => transition)).toEqual([2, 3]);
    expect(new Set(details.map(({ id }) => id)).size).toBe(2);
  });
});

describe('reactivating without tokens', () => {
  test.each([0, 1, 49, 50, 100])('deletes all %i of them', async (tokens) => {
    const target = await cancelled(tokens);
    expect(await reactivate(target, true)).toMatchObject({
      changed: true,
      tokens_revived: 0,
      tokens_revoked: tokens,
    });
    expect(await stored(target)).toMatchObject({ isactive: true, token_count: 0 });
    expect(await listTokens(table, target.username)).toEqual({ items: [] });
    expect(bus.details()).toMatchObject([[{ tokens_revived: 0, tokens_revoked: tokens }]]);
  });

  test('leaves an account cancelled whose tokens cannot all be deleted', async () => {
    const target = await cancelled(50);
    let sent = 0;
    wire.script((operation) => (operation === 'TransactWriteItems' && sent++ > 0 ? DOWN : undefined));
    await expect(reactivate(target, true)).rejects.toThrow('InternalServerError');
    expect(await stored(target)).toMatchObject({ isactive: false, token_count: 1 });
    wire.reset();
    expect(await reactivate(await stored(target), true)).toMatchObject({ tokens_revoked: 1 });
  });

  test('does not count twice what somebody else deletes meanwhile', async () => {
    const target = await cancelled(3);
    let waiting = true;
    wire.script(async (operation) => {
      if (operation !== 'TransactWriteItems' || !waiting) return undefined;
      waiting = false;
      await deleteToken(runtime, target, 't1', root);
      return undefined;
    });
    expect(await reactivate(target, true)).toMatchObject({ tokens_revived: 0, tokens_revoked: 2 });
    expect(await stored(target)).toMatchObject({ token_count: 0 });
  });

  test('revokes no more once somebody else has reactivated the account', async () => {
    const target = await cancelled(60);
    let sent = 0;
    wire.script(async (operation) => {
      if (operation === 'TransactWriteItems' && ++sent === 2)
        await setAttributes(table, target, { isactive: true });
      return undefined;
    });
    expect(await reactivate(target, true)).toMatchObject({
      changed: false,
      tokens_revived: 0,
      tokens_revoked: 49,
    });
    expect(await stored(target)).toMatchObject({ isactive: true, token_count: 11 });
  });

  test('gets through, however often it meets other transactions', async () => {
    const target = await cancelled(1);
    let collisions = 0;
    wire.script((operation) =>
      operation === 'TransactWriteItems' && collisions++ < 3 ? COLLISION : undefined,
    );
    expect(await reactivate(target, true)).toMatchObject({ tokens_revoked: 1 });
  });
});
