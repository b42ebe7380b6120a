import * as z from 'zod/mini';
import { PATIENT } from '../async/retry.ts';
import { Failure } from '../failure/failure.ts';
import { type Account, generationOf } from '../item/account.ts';
import type { PublicKeyItem } from '../item/instance.ts';
import type { SessionRecord } from '../item/session.ts';
import type { Runtime } from '../runtime.ts';
import { readPublicKeys } from '../session/public-keys.ts';
import { assign } from '../table/expressions.ts';
import { accountKey, sessionKey, sessionsOf } from '../table/keys.ts';
import { type RangeRequest, rangePage } from '../table/listing.ts';
import { optimistically } from '../table/optimistic.ts';
import { get } from '../table/read.ts';
import { type TransactWrite, transact } from '../table/write.ts';
import type { SchemaTexts } from '../texts.ts';
import { hasEnded, withEnded } from './ended.ts';

/** An open session in a listing. `credential` is the name of the API token that it was logged in with. */
export const sessionSchema = () =>
  z.strictObject({
    id: z.uuid(),
    created_at: z.string(),
    expires_at: z.string(),
    address: z.string(),
    user_agent: z.nullable(z.string()),
    credential: z.nullable(z.string()),
  });

export const openSessionTexts = {
  name: 'OpenSession',
  schema: sessionSchema,
  fields: {
    id: 'ID of the session, `jti` of its token',
    created_at: 'Time of creation (UTC, ends in `Z`)',
    expires_at: 'Expiry of the session token (UTC, ends in `Z`)',
    address: 'Source address of the login',
    user_agent: 'User agent of the login, at most <!-- agent --> characters; null if there was none',
    credential: 'Name of the token that logged in; null for a password',
  },
} as const satisfies SchemaTexts;

/** Whether a session is still valid, by its record, its account, and the keys that verify now. */
const isOpen = (account: Account, id: string, record: SessionRecord, keys: PublicKeyItem[], now: number) =>
  record.ttl * 1000 > now &&
  record.stamp === account.stamp &&
  !hasEnded(account, [id, record.secret], now) &&
  (record.secret === undefined || (record.of_generation ?? 0) === generationOf(account)) &&
  (record.kid === undefined || keys.some(({ jwk }) => jwk.kid === record.kid));

/** One page of the open sessions of an account, newest first. Every login leaves a record until its session expires. */
export async function listSessions({ table, now }: Runtime, account: Account, request: RangeRequest = {}) {
  const [{ items, ...page }, keys] = await Promise.all([
    rangePage(table, sessionsOf(account.username), request, (record) => record),
    readPublicKeys(table, now()),
  ]);
  const open = items.filter((record) => isOpen(account, record.SK, record, keys, now()));
  const shown = open.map(({ SK: id, created_at, ttl, address, user_agent, credential, secret = '' }) => {
    // The overlap of a rotation may end before the session.
    const end = Math.min(ttl * 1000, account.ended?.[secret]?.at ?? Number.POSITIVE_INFINITY);
    const expires_at = new Date(end).toISOString();
    return { id, created_at, expires_at, address, user_agent, credential };
  });
  return { items: shown, ...page };
}

/**
 * Ends a session from the next request on.
 *
 * @throws Failure `session_not_found` if the session has ended, or never existed
 */
export async function endSession(runtime: Runtime, target: Account, id: string) {
  const [record, keys] = await Promise.all([
    get(runtime.table, sessionKey(target.username, id)),
    readPublicKeys(runtime.table, runtime.now()),
  ]);
  const isFound = record && isOpen(target, id, record, keys, runtime.now());
  if (!isFound || !(await endUntil(runtime, target, id, record.ttl))) throw new Failure('session_not_found');
  return { username: target.username, id };
}

/**
 * Stores the ID of a session, or of a secret, in its account until its sessions would expire. Above the maximum, all
 * sessions of the account end.
 *
 * @param target as read when the session was found to be open
 * @param until end of the session, in seconds since the epoch
 * @param also writes of the same transaction; they are carried out even if the sessions have already ended
 * @returns false if another request has meanwhile ended the session, alone or with all others, and `also` is empty
 */
export function endUntil(
  { table, now, uuid }: Runtime,
  target: Account,
  id: string,
  until: number,
  also: readonly TransactWrite[] = [],
) {
  const end = async (account: Account | undefined) => {
    const isOver = account?.stamp !== target.stamp || hasEnded(account, [id], now());
    if (!account || (isOver && also.length === 0)) return false;
    const { username, stamp, ended } = account;
    const changed = withEnded(account, { [id]: { at: 0, until } }, uuid(), now());
    const Update = { Key: accountKey(username), ...assign(changed, { stamp, ended }) };
    return (await transact<Account>(table, [{ Update }, ...also], PATIENT)) ?? true;
  };
  return optimistically<Account | undefined, boolean>(target, end, PATIENT.attempts);
}
