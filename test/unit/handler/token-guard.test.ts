import { expect, test } from 'vitest';
import type { Contract } from '#lib/contract/contract';
import { endpoint } from '#lib/handler/endpoint';
import type { Account } from '#lib/item/account';
import { createLoginToken, createToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import { listTokens } from '#lib/token/list';
import { call, OPEN, openEndpoints } from '../support/endpoints.ts';
import { by } from '../support/engine.ts';
import { logLines } from '../support/log-lines.ts';

logLines();
const bench = await openEndpoints();
const { wire, stored } = bench;
const runtime = { ...bench.runtime, publish: async () => [] };

const CREATING = {
  ...OPEN,
  access: 'authenticated',
  needs: ['transaction:ConditionCheckItem:TOKEN:end'],
} as const satisfies Contract;
const create = (name: string) =>
  endpoint(CREATING, ({ caller, actor }, own) => createToken({ ...runtime, ...own }, caller, name, actor));
const namesOf = async ({ username }: Account) =>
  (await listTokens(runtime, await stored({ username }))).items.map(({ name }) => name);

/** Deletes a token between the authentication of the next request with it and its write. */
function deleteMeanwhile(owner: Account, name: string) {
  let waiting = true;
  wire.script(async (operation, sent) => {
    if (!waiting || operation !== 'TransactWriteItems' || JSON.stringify(sent).includes('lastActivity'))
      return undefined;
    waiting = false;
    await deleteToken(runtime, await stored(owner), name, by('admin'));
    return undefined;
  });
}

test('a token that is deleted after the authentication creates no other', async () => {
  const { account, headers } = await bench.caller();
  deleteMeanwhile(account, 'test');
  expect((await call(create('child'), { headers })).code).toBe('unauthenticated');
  expect(await namesOf(account)).toEqual([]);
});

test('a token that stays creates another, and replaces itself', async () => {
  const { account, headers } = await bench.caller();
  expect((await call(create('child'), { headers })).status).toBe(200);
  const { value } = await createLoginToken(runtime, await stored(account), by(account.username));
  const renew = endpoint(CREATING, ({ caller, actor }, own) =>
    createLoginToken({ ...runtime, ...own }, caller, actor),
  );
  expect((await call(renew, { headers: { authorization: `Token ${value}` } })).status).toBe(200);
  expect(await namesOf(account)).toEqual(['child', 'logintoken', 'test']);
});
