import type { Account } from '../item/account.ts';
import { passkeyKey } from '../table/keys.ts';
import { getAll } from '../table/read.ts';
import type { Table } from '../table/table.ts';

type Listed = Pick<Account, 'passkeys' | 'enrolments' | 'counters_fell'>;

/**
 * An account whose passkeys all have a domain. Those of earlier versions have it in their own items only, so these are read,
 * before a refusal: without such a passkey, nothing is read.
 */
export async function withDomains(table: Table, account: Account): Promise<Account> {
  const { passkeys = {}, enrolments = {} } = account;
  const unknown = Object.values(passkeys).filter((id) => !enrolments[id]);
  const found = await getAll(table, unknown.map(passkeyKey));
  const read = unknown.map((id, n) => {
    const { rp_id = '', passkey_created_at: created_at = '' } = found[n] ?? {};
    return [id, { id, rp_id, created_at }] as const;
  });
  return { ...account, enrolments: { ...enrolments, ...Object.fromEntries(read) } };
}

/** What a change of the passkeys of an account depends on, as it was read; `passkeys` changes with the enrolments. */
export const passkeysRead = ({ passkeys, counters_fell }: Listed) => ({ passkeys, counters_fell });

/** The attributes of passkeys of an account without some; undefined ones are absent. */
export function withoutPasskeys(
  { passkeys = {}, enrolments = {}, counters_fell = {} }: Listed,
  names: readonly string[],
) {
  const left = Object.entries(passkeys).filter(([name]) => !names.includes(name));
  const ofThese = <Value>(byId: Readonly<Record<string, Value>>) =>
    orAbsent(Object.entries(byId).filter(([id]) => left.some(([, its]) => its === id)));
  return {
    passkeys: orAbsent(left),
    enrolments: ofThese(enrolments),
    counters_fell: ofThese(counters_fell),
  };
}

const orAbsent = <Value>(entries: readonly (readonly [string, Value])[]) =>
  entries.length > 0 ? Object.fromEntries(entries) : undefined;
