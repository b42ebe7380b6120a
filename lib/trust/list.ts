import type { Query } from '../contract/contract.ts';
import type { TrustItem } from '../item/trust.ts';
import { ALL_TRUSTS, trustsOf } from '../table/keys.ts';
import { filterText, listPage, MAX_EXAMINED, rangePage } from '../table/listing.ts';
import type { Table } from '../table/table.ts';
import type { contract as browse } from './browse.contract.ts';
import { trustRecord } from './record.ts';

/** A page of the trusts of a machine, strongly consistent, or of all machines from the index. */
export function browseTrusts(table: Table, query: Query<typeof browse>, examine = MAX_EXAMINED) {
  const { username, issuer, ...page } = query;
  const view = (trust: TrustItem) =>
    trust.ttl === undefined && (issuer ?? trust.trust_issuer) === trust.trust_issuer
      ? trustRecord(trust)
      : undefined;
  if (username !== undefined) return rangePage(table, trustsOf(username), page, view);
  const boundTo = filterText({ issuer });
  return listPage(table, ALL_TRUSTS, boundTo === undefined ? page : { ...page, boundTo, examine }, view);
}
