import type { Account } from '#lib/item/account';
import type { Asked } from './load.ts';
import type { Delivery } from './stage.ts';

/** Results of the cancels that were requested during one kind of fault. */
export interface Row {
  readonly fault: string;
  readonly asked: number;
  /** Answered 200. */
  readonly ok: number;
  /** Changes by the table. */
  readonly committed: number;
  /** Deliveries of user_cancel, and their different ids. */
  readonly delivered: number;
  readonly ids: number;
  /** Changes of state without an event, and answers of changes that the table does not have. */
  readonly lost: number;
  /** Events without a change, and events that differ from their change or have a second id. */
  readonly invented: number;
  /** Events that are still in the outbox. */
  readonly pending: number;
}

type State = Pick<Account, 'id' | 'isactive' | 'transitions' | 'cancelled_at'>;

/** Accounts are only cancelled and reactivated here: the number of a change determines which of the two it is. */
const typeOf = (transition: number) => (transition % 2 === 1 ? 'user_cancel' : 'user_reactivate');

const sum = <Item>(items: readonly Item[], of: (item: Item) => number) =>
  items.reduce((total, item) => total + of(item), 0);

function compare({ changed }: Asked, state: State, deliveries: readonly Delivery[]) {
  const { id, transitions = 0, isactive, cancelled_at } = state;
  const committed = Math.ceil(transitions / 2);
  const identities = new Set(deliveries.map(({ type, detail }) => `${type} ${JSON.stringify(detail)}`));
  const numbers = new Set(deliveries.map(({ detail }) => detail.transition));
  const changes = Array.from({ length: transitions }, (_, n) => n + 1);
  const known = changes.filter((number) => numbers.has(number)).length;
  // The table and the last event must be of one transaction: they agree on the time.
  const last = deliveries.find(({ detail }) => !isactive && detail.transition === transitions)?.detail;
  const differs = ({ type, detail }: Delivery) => type !== typeOf(detail.transition) || detail.userid !== id;
  return {
    committed,
    lost: transitions - known + Math.max(0, changed - committed),
    invented:
      identities.size -
      known +
      deliveries.filter(differs).length +
      (last && last.cancelled_at !== cancelled_at ? 1 : 0),
  };
}

/** Compares the requests, the table and the deliveries of these accounts. */
export function tally(
  fault: string,
  asked: readonly Asked[],
  states: readonly State[],
  deliveries: readonly Delivery[],
  pending: readonly { readonly detail: unknown }[],
): Row {
  const own = Map.groupBy(deliveries, ({ detail }) => detail.username);
  const of = (one: Asked) => own.get(one.username) ?? [];
  const accounts = asked.map((one, n) => compare(one, states[n] as State, of(one)));
  const cancels = asked.flatMap(of).filter(({ type }) => type === 'user_cancel');
  const names = new Set(asked.map(({ username }) => username));
  return {
    fault,
    asked: sum(asked, ({ cancels }) => cancels),
    ok: sum(asked, ({ ok }) => ok),
    committed: sum(accounts, ({ committed }) => committed),
    delivered: cancels.length,
    ids: new Set(cancels.map(({ detail }) => detail.id)).size,
    lost: sum(accounts, ({ lost }) => lost),
    invented: sum(accounts, ({ invented }) => invented),
    pending: pending.filter(({ detail }) => names.has((detail as { username: string }).username)).length,
  };
}

/** Whether the first deliveries of these events are in this order; others may come between them. */
export function isInOrder(ids: readonly string[], deliveries: readonly Delivery[]): boolean {
  const firsts = [...new Set(deliveries.map(({ detail }) => detail.id))].filter((id) => ids.includes(id));
  return firsts.length === ids.length && firsts.every((id, n) => id === ids[n]);
}

/** Whether a row shows that nothing was lost, invented or left, each event under one id. */
export const holds = ({ committed, ids, lost, invented, pending }: Row) =>
  ids === committed && lost + invented + pending === 0;
