import type { AuditItem } from '../item/audit-entry.ts';
import { type Erasure, pseudonymOf } from '../item/erasure.ts';
import { changesOf, type Pseudonyms } from '../pseudonym/entry.ts';
import { forEach } from '../table/bulk.ts';
import { assign } from '../table/expressions.ts';
import * as keys from '../table/keys.ts';
import type { Page } from '../table/pass.ts';
import { type Scanned, scanPage } from '../table/scan.ts';
import type { Table } from '../table/table.ts';
import { remove, update } from '../table/write.ts';
import { foldCase } from '../text/fold-case.ts';

/** What to do with an item: nothing, a removal, or new values of attributes in place of the present ones. */
export type Effect = 'none' | 'remove' | { readonly to: object; readonly as: object };

/** The attribute by which an item of each kind belongs to an account; earlier versions had `username`. */
const OWNER: Readonly<Partial<Record<string, keyof Scanned>>> = {
  CANCELLED: 'cancelled_username',
  MADE: 'made_for',
  PASSKEY: 'passkey_owner',
  REVOKED: 'revoked_of',
  TOKEN: 'token_owner',
  TRUST: 'trust_owner',
};

/** The attributes by which an item of each kind, of somebody else, names an account. */
const NAMED: Readonly<Partial<Record<string, readonly (keyof Scanned)[]>>> = {
  ACCOUNT: ['cancelled_by', 'owner'],
  CODE: ['code_created_by'],
  ERASED: ['erased_by'],
  REVOKED: ['revoked_by'],
  TOKEN: ['token_created_by'],
  TRUST: ['trust_created_by'],
};

/**
 * Decides what happens to each item of the table, so that no trace of erased accounts is left.
 *
 * @param erasures that are not complete: until then, nobody else has their names
 */
export function tracesOf(erasures: readonly (Erasure & keys.Key<Erasure>)[]): (item: Scanned) => Effect {
  const pseudonymByName = new Map(
    erasures.map((one) => [foldCase(one.erasing_username), pseudonymOf(keys.idOfErasure(one))]),
  );
  const attempts = new Set(erasures.map(({ erasing_username }) => keys.attemptsOn(erasing_username).PK));
  const pseudonym: Pseudonyms = (name) => pseudonymByName.get(name);
  const of = (name: unknown) => (typeof name === 'string' ? pseudonym(foldCase(name)) : undefined);

  return (item) => {
    const kind = keys.kindOf(item) ?? '';
    if (keys.isAccount(item) && of(keys.nameInKey(item))) return 'none';
    if (kind === 'AUDIT') {
      const to = changesOf(item as Partial<AuditItem>, pseudonym);
      return to ? { to, as: { PK: item.PK } } : 'none';
    }
    const owner = OWNER[kind];
    const isOwn =
      of(keys.nameInKey(item)) !== undefined ||
      (owner !== undefined && of(item[owner] ?? item.username) !== undefined) ||
      (attempts.has(item.PK) && !keys.isOfAddress(item));
    if (isOwn) return 'remove';
    const names = (NAMED[kind] ?? []).flatMap((name) => {
      const other = of(item[name]);
      return other === undefined ? [] : [[name, other] as const];
    });
    return names.length > 0
      ? {
          to: Object.fromEntries(names),
          as: Object.fromEntries(names.map(([name]) => [name, item[name]])),
        }
      : 'none';
  };
}

/** Carries out an effect on an item; one that has changed since is left, and a later pass finds it again. */
function carryOut(table: Table, { PK, SK }: keys.Key, effect: Effect): Promise<unknown> {
  if (effect === 'none') return Promise.resolve();
  if (effect === 'remove') return remove(table, { PK, SK });
  return update(table, { Key: { PK, SK }, ...assign(effect.to, effect.as) });
}

/** A page of the whole table, with the effects on its items. */
export function pageOf(table: Table, erasures: Parameters<typeof tracesOf>[0]): Page {
  const effectOn = tracesOf(erasures);
  return async (cursor) => {
    const { items, next } = await scanPage(table, cursor);
    const changes = items
      .map((item) => ({ item, effect: effectOn(item) }))
      .filter(({ effect }) => effect !== 'none');
    await forEach(changes, ({ item, effect }) => carryOut(table, item, effect));
    return { examined: items.length, changed: changes.length, next };
  };
}
