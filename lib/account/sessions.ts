import * as z from 'zod/mini';
import { PATIENT } from '../async/retry.ts';
import { Failure } from '../failure/failure.ts';
import { type Account, generationOf, hasTrust, isEnrolled } from '../item/account.ts';
import type { PublicKeyItem } from '../item/instance.ts';
import type { SessionRecord } from '../item/session.ts';
import type { Runtime } from '../runtime.ts';
import { readPublicKeys } from '../session/public-keys.ts';
import { assign } from '../table/expressions.ts';
import { accountKey, type Key, sessionKey, sessionsOf } from '../table/keys.ts';
import { type RangeRequest, rangePage } from '../table/listing.ts';
import { optimistically } from '../table/optimistic.ts';
import { get, query } from '../table/read.ts';
import { type TransactWrite, transact } from '../table/write.ts';
import type { SchemaTexts } from '../texts.ts';
import { type Ends, endedAsRead, hasEnded, readEnds, withEnded } from './ended.ts';
import { checkMayEnd, isNarrow, type Requester } from './within.ts';

/** An open session in a listing. `credential` names the API token, the passkey or the trust that it was opened with. */
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
    credential:
      'Name of the token that logged in, `passkey:` and the name of a passkey, or `trust:` and the name of a trust; null for a password',
  },
} as const satisfies SchemaTexts;

type Recorded = SessionRecord & Pick<Key, 'SK'>;

/** Those of some recorded sessions that are still valid, by their account and the keys that verify now; with all ends. */
async function openOnes<R extends Recorded>(
  { table, now }: Runtime,
  account: Account,
  records: readonly R[],
  keys: readonly PublicKeyItem[],
): Promise<{ readonly open: readonly R[]; readonly ends: Ends }> {
  const time = now();
  const current = records.filter(
    ({ ttl, stamp, secret, of_generation = 0, passkey, trust, kid }) =>
      ttl * 1000 > time &&
      stamp === account.stamp &&
      ((secret ?? trust) === undefined || of_generation === generationOf(account)) &&
      (passkey === undefined || isEnrolled(account, passkey)) &&
      (trust === undefined || hasTrust(account, trust)) &&
      (kid === undefined || keys.some(({ jwk }) => jwk.kid === kid)),
  );
  const ids = current.flatMap(({ SK, secret }) => [SK, secret]);
  const ends = await readEnds(table, account, ids, time);
  return { open: current.filter(({ SK, secret }) => !hasEnded(ends, [SK, secret], time)), ends };
}

/** One page of the open sessions of an account, newest first. Every login leaves a record until its session expires. */
export async function listSessions(runtime: Runtime, account: Account, request: RangeRequest = {}) {
  const { table, now } = runtime;
  const [{ items, ...page }, keys] = await Promise.all([
    rangePage(table, sessionsOf(account.username), request, (record) => record),
    readPublicKeys(table, now()),
  ]);
  const { open, ends } = await openOnes(runtime, account, items, keys);
  const shown = open.map(({ SK: id, created_at, ttl, address, user_agent, credential, secret = '' }) => {
    // The overlap of a rotation may end before the session.
    const end = Math.min(ttl * 1000, ends.get(secret) ?? Number.POSITIVE_INFINITY);
    const expires_at = new Date(end).toISOString();
    return { id, created_at, expires_at, address, user_agent, credential };
  });
  return { items: shown, ...page };
}

/**
 * Ends a session from the next request on.
 *
 * @param own credential that asks: it ends no wider session
 * @throws Failure `session_not_found` if the session has ended, or never existed; `forbidden`
 */
export async function endSession(runtime: Runtime, target: Account, id: string, own: Requester = {}) {
  const [record, keys] = await Promise.all([
    get(runtime.table, sessionKey(target.username, id)),
    readPublicKeys(runtime.table, runtime.now()),
  ]);
  const { open } = await openOnes(runtime, target, record ? [{ ...record, SK: id }] : [], keys);
  const [found] = open;
  if (found) checkMayEndSession(found, own);
  if (!found || !(await endUntil(runtime, target, id, found.ttl))) throw new Failure('session_not_found');
  return { username: target.username, id };
}

/** Records of earlier versions do not tell limits; sessions of one secret have the same. */
function checkMayEndSession({ secret, limits = {} }: Recorded, own: Requester) {
  if (own.limits && (secret === undefined || secret !== own.secret)) checkMayEnd(limits, own.limits);
}

/**
 * Refuses to end all sessions of an account if one of them is wider than the credential that asks.
 *
 * @throws Failure `forbidden`
 */
export async function checkMayEndAll(runtime: Runtime, account: Account, own: Requester) {
  if (!own.limits || !isNarrow(own.limits)) return;
  const [records, keys] = await Promise.all([
    query(runtime.table, sessionsOf(account.username)),
    readPublicKeys(runtime.table, runtime.now()),
  ]);
  const { open } = await openOnes(runtime, account, records, keys);
  for (const record of open) checkMayEndSession(record, own);
}

/**
 * Ends a session, or all sessions of a secret, by its ID until they would expire.
 *
 * @param target as read when the session was found to be open
 * @param until end of the session, in seconds since the epoch
 * @param also writes of the same transaction; they are carried out even if the sessions have already ended
 * @returns false if another request has meanwhile ended the session, alone or with all others, and `also` is empty
 */
export function endUntil(
  { table, now }: Runtime,
  target: Account,
  id: string,
  until: number,
  also: readonly TransactWrite[] = [],
) {
  const end = async (account: Account | undefined) => {
    if (!account) return false;
    const isOver =
      account.stamp !== target.stamp || hasEnded(await readEnds(table, account, [id], now()), [id], now());
    if (isOver && also.length === 0) return false;
    const { username, stamp } = account;
    const { to, writes } = withEnded(account, { [id]: { at: 0, until } }, now());
    const Update = { Key: accountKey(username), ...assign(to, { stamp, ...endedAsRead(account) }) };
    return (await transact<Account>(table, [{ Update }, ...writes, ...also], PATIENT)) ?? true;
  };
  return optimistically<Account | undefined, boolean>(target, end, PATIENT.attempts);
}
