import { expect, onTestFinished, test } from 'vitest';
import { lockAccount, unlockAccount } from '#lib/account/lifecycle/lock';
import { endpoint } from '#lib/handler/endpoint';
import { stepUp } from '#lib/http/step-up';
import { setPassword } from '#lib/password/set-password';
import { createRequested } from '#lib/token/create-once';
import { contract as createOwn } from '#lib/token/create-own.contract';
import { listTokens } from '#lib/token/list';
import { contract as listOwn } from '#lib/token/list-own.contract';
import { revokeAllTokens } from '#lib/token/revoke';
import { contract as revoke } from '#lib/token/revoke.contract';
import { call, createSigningKey, openEndpoints } from '../support/endpoints.ts';
import { by } from '../support/engine.ts';
import { logLines } from '../support/log-lines.ts';

logLines();
const { table, runtime, caller, session, stored } = await openEndpoints();
const publish = async () => [];
const announcing = { ...runtime, now: Date.now, publish };
const opener = { publish: () => publish };
const confirmed = { ...opener, stepUp };
const create = endpoint(
  createOwn,
  ({ caller: owner, ...request }, runtime) => createRequested(runtime, owner, request),
  confirmed,
);
const revokeAll = endpoint(
  revoke,
  ({ actor, accounts: [owner] }, runtime) => revokeAllTokens(runtime, owner, actor),
  opener,
);
const list = endpoint(listOwn, ({ caller: owner }, runtime) => listTokens(runtime, owner));
const key = await createSigningKey(table);

const LOOPS = 12;

test('a lock before the revocation, until a new password, leaves a thief nothing', async () => {
  const { account, token } = await caller({ roles: ['sys_tokens'] });
  const stolen = await session(account, key, Date.now());
  const credentials = [`Token ${token}`, `Bearer ${stolen}`];
  let isOver = false;
  const attack = async (loop: number) => {
    for (let n = 0; !isOver; n++) {
      const authorization = (n % 2 === 0 ? credentials.at(-1) : undefined) ?? `Bearer ${stolen}`;
      const path = { token_name: `t-${loop}-${n}` };
      const request = { method: 'POST', headers: { authorization }, pathParameters: path };
      const { code, payload } = await call(create, request);
      if (code === undefined)
        credentials.push(`Token ${(payload as { data: { value: string } }).data.value}`);
    }
  };
  const loops = Array.from({ length: LOOPS }, (_, loop) => attack(loop));
  onTestFinished(async () => {
    isOver = true;
    await Promise.all(loops);
  });
  await expect.poll(() => credentials.length).toBeGreaterThan(LOOPS);
  const root = by('root');
  await lockAccount(announcing, await stored(account), root);
  await revokeAllTokens(announcing, await stored(account), root);
  await setPassword(announcing, await stored(account), 'battery staple');
  await unlockAccount(announcing, await stored(account), root);
  for (const authorization of credentials)
    expect((await call(list, { headers: { authorization } })).status).toBe(401);
});

test('token/revoke leaves no valid token when a stolen one creates others all the time', async () => {
  const { account, headers } = await caller({ roles: ['sys_tokens'] });
  const { username } = account;
  const authorization = `Bearer ${await session(account, key, Date.now())}`;
  const made: string[] = [];
  let owner: Promise<unknown> | undefined;
  const attack = async (loop: number) => {
    for (let n = 0; ; n++) {
      const path = { token_name: `t-${loop}-${n}` };
      const { code, payload } = await call(create, { method: 'POST', headers, pathParameters: path });
      if (code === 'unauthenticated') return;
      if (code === undefined) made.push((payload as { data: { value: string } }).data.value);
      // The owner acts while every loop is running.
      if (made.length >= LOOPS)
        owner ??= call(revokeAll, {
          method: 'POST',
          headers: { authorization },
          pathParameters: { username },
        }).then(({ status }) => expect(status).toBe(200));
    }
  };
  await Promise.all(Array.from({ length: LOOPS }, (_, loop) => attack(loop)));
  await owner;
  expect(made.length).toBeGreaterThanOrEqual(LOOPS);
  for (const token of made)
    expect((await call(list, { headers: { authorization: `Token ${token}` } })).status).toBe(401);
  expect((await call(list, { headers: { authorization } })).payload).toMatchObject({ data: { items: [] } });
  expect((await stored(account)).token_count).toBe(0);
});
