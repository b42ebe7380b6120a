import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { expect, test } from 'vitest';
import { jwks } from '#lib/system/contracts';
import { publicKeySet } from '#lib/system/jwks';
import type { Table } from '#lib/table/table';

const NOW = Date.UTC(2026, 10, 20);

/** A table whose one partition holds these items. */
const tableOf = (...Items: object[]) =>
  ({ name: 't', client: { send: async () => ({ Items }) } }) as unknown as Table;

async function keyItem(more: object = {}) {
  const { publicKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  return { jwk: { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'ES256', use: 'sig', ...more } };
}

test('a public key is published with its public members only, in the shape of the contract', async () => {
  const item = await keyItem({ d: 'secret', key_ops: ['sign'], ext: true });
  const set = await publicKeySet({ table: tableOf(item), now: () => NOW });
  expect(Object.keys(set.keys[0] ?? {})).toEqual(['kty', 'crv', 'x', 'y', 'kid', 'alg', 'use']);
  expect(jwks.response().safeParse(JSON.parse(JSON.stringify(set))).success).toBe(true);
});

test('a retired key is published until the tokens signed with it have expired', async () => {
  const current = await keyItem();
  const retired = { ...(await keyItem()), expires_at: NOW / 1000 + 1 };
  const expired = { ...(await keyItem()), expires_at: NOW / 1000 };
  const { keys } = await publicKeySet({ table: tableOf(current, retired, expired), now: () => NOW });
  expect(keys.map(({ kid }) => kid)).toEqual([current.jwk.kid, retired.jwk.kid]);
});
