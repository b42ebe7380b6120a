import type { Account } from '#lib/item/account';
import * as keys from '#lib/table/keys';
import type { Table } from '#lib/table/table';
import { put } from '#lib/table/write';
import { accountItem } from '../support/items.ts';

const SEALED = { sealed: '', salt: '', tag: '', ttl: 4_102_444_800 };

/** An item of each kind that belongs to an account, whose name each has in its key or in an attribute. */
export const ownItems = (username: string): readonly (readonly [keys.Key, object])[] => [
  [keys.propertiesKey(username), { json: '{"root":{}}' }],
  [keys.formerTokenNameKey(username, 'former'), { sha256: '3'.repeat(64) }],
  [keys.passwordKey(username), { hash: 'x' }],
  [keys.codeKey(username), { code_sha256: 'x', code_created_by: 'admin' }],
  [keys.sessionKey(username, 'x'), { created_at: 'then' }],
  [keys.endedKey(username, 'x'), { ended_at: 1 }],
  [keys.madeKey(username, 'x'), { made_for: 'somebody', name: '', ...SEALED }],
  [keys.madeKey('somebody', username), { made_for: username, name: '', ...SEALED }],
  [keys.attemptsOnNameKey(username), { attempts: [], revision: 1 }],
  [keys.attemptsOfPairKey(username, '192.0.2.7'), { attempts: [], revision: 1 }],
  [keys.codeAttemptsOfPairKey(username, '192.0.2.7'), { attempts: [], revision: 1 }],
  [keys.tokenNameKey(username, 'ci'), { sha256: '4'.repeat(64), expires_at: 4_102_444_800_000 }],
  [keys.tokenNameKey(username, 'of-a-generation', 7), { sha256: '5'.repeat(64) }],
  [keys.tokenKey('4'.repeat(64)), { token_owner: username, userid: 'x', name: 'ci' }],
  [keys.tokenKey(`of-${username}`), { username, userid: 'x', name: 'of an earlier version' }],
  [keys.passkeyKey(`of-${username}`), { passkey_owner: username }],
  [keys.trustKey(username, 'deploy'), { trust_owner: username }],
  [keys.reminderKey(4_102_444_800_000, username, 'ci'), { token_owner: username, name: 'ci' }],
  [keys.cancellationKey(username, '2026-11-20T12:00:00.000Z'), { cancelled_username: username }],
  [keys.actKey(username, { PK: '', SK: 'x' }), { entry_in: 'AUDIT#2026-11#0', ttl: 4_102_444_800 }],
  [keys.exportPagesKey(username, 'laptop', '2026-11-20T12:00'), { pages: 1, ttl: 4_102_444_800 }],
  [keys.revocationKey(username, 7), { revoked_of: username, revoked_generation: 7, revoked_at: 1 }],
];

/** An item of each kind that belongs to somebody else and names an account. */
export const othersItems = (username: string): readonly (readonly [keys.Key, object])[] => {
  const other = `other-than-${username.length}`;
  return [
    [
      keys.accountKey(other),
      { ...accountItem({ username: other, cancelled_by: username }), GSI1SK: undefined },
    ],
    [
      keys.accountKey(`${other}-machine`),
      {
        ...accountItem({ username: `${other}-machine`, cancelled_by: username }),
        ...{ GSI1SK: undefined, kind: 'machine', owner: username },
      },
    ],
    [keys.codeKey(other), { code_created_by: username, code_sha256: 'x' }],
    [
      keys.tokenKey(`made-${username.length}`),
      { token_owner: other, token_created_by: username, userid: 'y' },
    ],
    [keys.trustKey(other, 'deploy'), { trust_owner: other, trust_created_by: username }],
    [
      keys.revocationKey(other, 7),
      { revoked_of: other, revoked_generation: 7, revoked_at: 8e12, revoked_by: username },
    ],
    [keys.erasedIdKey(other), { erased_id: other, erased_at: 'then', erased_by: username }],
    [
      {
        ...keys.auditKey('2026-11-20T12:00:00.000Z', username),
        ...keys.auditIndex(username, { SK: 'x' } as never),
      },
      {
        ...{ time: '2026-11-20T12:00:00.000Z', actor: username, action: 'account.lock', target: username },
        ...{ outcome: 'ok', changed: true, credential: 'laptop', source: '192.0.2.7', requestId: 'x' },
        ...{ details: { reason: username, until: null }, ttl: 4_102_444_800 },
      },
    ],
    [
      {
        ...keys.auditKey('2026-11-20T11:00:00.000Z', `refusals of ${username.length}`),
        ...keys.auditIndex(username, { SK: 'y' } as never, 'REFUSALS'),
      },
      {
        ...{ time: '2026-11-20T11:00:00.000Z', actor: username, action: 'account.lock', target: username },
        ...{
          outcome: 'forbidden',
          changed: false,
          credential: 'laptop',
          source: '192.0.2.7',
          requestId: 'y',
        },
        ...{ count: 2, sources: ['192.0.2.7'], details: null, ttl: 4_102_444_800 },
      },
    ],
  ];
};

/** Stores what an account leaves behind. */
export async function leaveTraces(table: Table, { username }: Pick<Account, 'username'>): Promise<void> {
  for (const [key, item] of [...ownItems(username), ...othersItems(username)])
    await put(table, key, item as never);
}
