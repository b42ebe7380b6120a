import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { createCode } from '#lib/account/create-code';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { lockAccount } from '#lib/account/lifecycle/lock';
import { storeEntries } from '#lib/audit/store';
import { FUNCTIONS } from '#lib/audit/streams';
import type { Account } from '#lib/item/account';
import type { AuditLine } from '#lib/item/audit-entry';
import { setPassword } from '#lib/password/set-password';
import { assign } from '#lib/table/expressions';
import * as keys from '#lib/table/keys';
import { put, update } from '#lib/table/write';
import { createToken } from '#lib/token/create';
import { by, NOON, type openTestTable } from '../support/engine.ts';
import { accountItem, storedSession } from '../support/items.ts';

type Bench = Awaited<ReturnType<typeof openTestTable>>;

const ROOT = by('Root');

/** An audit line as a function writes it. */
export const lineOf = (part: Partial<AuditLine>, at = NOON) =>
  JSON.stringify({
    time: new Date(at).toISOString(),
    actor: 'root',
    credential: null,
    action: 'account.lock',
    target: null,
    outcome: 'ok',
    changed: true,
    details: null,
    source: '192.0.2.7',
    requestId: randomUUID(),
    ...part,
  });

/** A trust of a machine. */
const trustOf = (trust_owner: string, trust_created_by: string) => ({
  trust_owner,
  trust_created_by,
  trust_name: 'deploy',
  trust_id: 'trust-1',
  trust_issuer: 'ci',
  trust_subject: 'job:main',
  max_minutes: 15,
  trust_created_at: 'then',
});

/**
 * A cancelled account with everything that a person leaves behind: items of its own, and its name in those of others.
 *
 * @param name of the person, which nothing else contains
 */
export async function leaver({ table, runtime, account, stored }: Bench, name: string) {
  const username = `Ada.${name}`;
  const other = await account();
  let it = await account({
    username,
    user_first_name: `First ${name}`,
    user_last_name: `Last ${name}`,
    phonenumber: `+43 ${name}`,
    user_properties: { root: { about: name } },
    roles: ['sys_administrator'],
    passkeys: { laptop: `passkey-${name}` },
  });
  const caller = by(it.username);
  await setPassword(runtime, it, `a password of ${name}`);
  it = await stored(it);
  // Things of its own.
  const expires_at = NOON + 30 * 86_400_000;
  await createToken(runtime, it, `laptop-${name}`, caller, { expires_at, description: `of ${name}` });
  await createToken(runtime, await stored(it), `old-${name}`, caller);
  await put(table, keys.passkeyKey(`passkey-${name}`), { passkey_owner: username } as never);
  await storedSession(table, it);
  await put(table, keys.trustKey(username, `trust-${name}`), trustOf(username, ROOT.by));
  await put(table, keys.endedKey(username, 'x'), { ended_at: 1, ttl: 1 });
  await put(table, keys.attemptsOfPairKey(username, '192.0.2.7'), { attempts: [], revision: 1 });
  await put(table, keys.attemptsOnNameKey(username), { attempts: [], revision: 1 });
  await createCode(runtime, it, ROOT, {});
  await put(table, keys.formerTokenNameKey(username, `former-${name}`), { sha256: 'f' });
  await put(table, keys.tokenNameKey(username, `generation-${name}`, 3), { sha256: 'g' });
  await put(table, keys.revocationKey(username, 0), {
    ...{ revoked_of: username, revoked_generation: 0, revoked_at: NOON, revoked_by: username },
  });
  // Its name in what belongs to others.
  await createToken(runtime, other, 'ci', caller);
  await put(table, keys.trustKey(other.username, 'deploy'), trustOf(other.username, username));
  await createCode(runtime, other, { by: username, generation: 0 }, {});
  await put(
    table,
    keys.accountKey(`by-${other.username}`),
    accountItem({ username: `by-${other.username}`, cancelled_by: username }),
  );
  await put(table, keys.accountKey(`machine-of-${other.username}`), {
    ...accountItem({ username: `machine-of-${other.username}`, kind: 'machine', owner: username }),
  });
  await put(table, keys.erasedIdKey(`by-${other.username}`), {
    erased_id: 'x',
    erased_at: 'then',
    erased_by: username,
  });
  await put(table, keys.revocationKey(other.username, 0), {
    ...{ revoked_of: other.username, revoked_generation: 0, revoked_at: NOON, revoked_by: username },
  });
  await put(table, keys.madeKey(other.username, 'order 2'), {
    ...{ made_for: username, name: '', sealed: '', salt: '', tag: '', ttl: NOON },
  });
  await putLines(name);
  await lockAccount(runtime, await stored(it), ROOT, { reason: `Reason of ${name}` });
  await cancelAccount(runtime, await stored(it), ROOT);
  return { it: await stored(it), other: await stored(other) };

  async function putLines(own: string) {
    const target = `ada.${own.toLowerCase()}`;
    await storeEntries(runtime, FUNCTIONS, [
      lineOf({ target, details: { reason: `Reason of ${own}` } }),
      lineOf({ actor: target, credential: `laptop-${own}`, target: 'somebody', action: 'account.copy' }),
      lineOf({ action: 'account.copy', target: 'somebody', details: { source: target } }),
      lineOf({ action: 'token.create', target: `laptop-${own}@${target}`, account: target }),
      lineOf({ actor: null, action: 'account.login', target, details: { cause: 'account_locked' } }),
      lineOf({ action: 'account.export', target, changed: false }),
      lineOf({ actor: target, action: 'account.lock', target: 'somebody', outcome: 'forbidden' }),
      lineOf({ actor: 'somebody', action: 'account.lock', target, outcome: 'forbidden' }),
      lineOf({ actor: target, action: 'account.export', target, changed: false }),
      lineOf({ action: 'team.create', target: 'somebody' }),
    ]);
  }
}

/** Everything that the table has, as text. */
export async function wholeTable({ table }: Pick<Bench, 'table'>): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await table.client.send(new ScanCommand({ TableName: table.name, ExclusiveStartKey }));
    items.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}

/** The items that have a text in any attribute, regardless of case. */
export const tracesIn = (items: readonly object[], text: string) =>
  items.filter((item) => JSON.stringify(item).toLowerCase().includes(text.toLowerCase()));

/** Changes attributes of an account without a transition. */
export const setRaw = ({ table }: Bench, { username }: Account, to: object) =>
  update(table, { Key: keys.accountKey(username), ...assign(to, {}) });
