import { expect, test } from 'vitest';
import { endSessions, resetStamp } from '#lib/account/reset-stamp';
import type { Account } from '#lib/item/account';
import { setPassword } from '#lib/password/set-password';
import { ConditionFailed } from '#lib/table/write';
import { createLoginToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import { LOGIN_TOKEN } from '#lib/token/record';
import { rotateToken } from '#lib/token/rotate';
import { COLLISION, CONFLICT } from '../../wire/dynamodb-proxy.ts';
import { by, openTestTable } from '../support/engine.ts';
import { shortestWaits } from '../support/shortest-waits.ts';
import { failing } from '../table/inputs.ts';

const { runtime, account, stored, wire } = await openTestTable();
const root = by('root');

shortestWaits();

test.each<[string, (owner: Account) => Promise<unknown>]>([
  ['endSessions', (owner) => endSessions(runtime, owner)],
  ['resetStamp', (owner) => resetStamp(runtime, owner)],
  ['setPassword', (owner) => setPassword(runtime, owner, 'battery staple')],
  ['deleteToken', (owner) => deleteToken(runtime, owner, LOGIN_TOKEN, root)],
  ['rotateToken', (owner) => rotateToken(runtime, owner, LOGIN_TOKEN, root, 0)],
])('%s succeeds after 40 collisions with transactions of a thief', async (name, remedy) => {
  const { username } = await account();
  await createLoginToken(runtime, await stored({ username }), root);
  const before = await stored({ username });
  const isUpdate = name === 'endSessions' || name === 'resetStamp';
  wire.script(isUpdate ? failing(CONFLICT, 40, 'UpdateItem') : failing(COLLISION, 40, 'TransactWriteItems'));
  expect(await remedy(before)).not.toBeInstanceOf(ConditionFailed);
});
