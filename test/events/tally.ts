import type { Account } from '#lib/item/account';
import type { Asked } from './load.ts';
import type { Delivery } from './stage.ts';

/** What became of the cancels that were asked for during one kind of fault. */
export interface Row {
  readonly fault: string;
  readonly asked: number;
  readonly ok: number;
  /** Answered otherwise, or not at all. */
  readonly other: number;
  /** By the table. */
  readonly committed: number;
  readonly reactivated: number;
  /** Deliveries of user_cancel, and the ids that they have. */
  readonly delivered: number;
  readonly ids: number;
  readonly duplicates: number;
  /** Changes of state that no event tells, and those that an answer tells and the table does not. */
  readonly lost: number;
  /** Events that tell of no change, that tell of one another way, or under another id. */
  readonly invented: number;
  /** Events that are still in the outbox. */
  readonly pending: number;
}

type State = Pick<Account, 'id' | 'isactive' | 'transitions' | 'cancelled_at'>;

/** Accounts are only cancelled and reactivated here, so the number of a change tells which of the two it is. */
const typeOf = (transition: number) => (transition % 2 === 1 ? 'user_cancel' : 'user_reactivate');

const sum = <Item>(items: readonly Item[], of: (item: Item) => number) =>
  items.reduce((total, item) => total + of(item), 0);

/** The same event, however often it is delivered: its id, and all that it says. */
const identity = ({ type, detail }: Delivery) => `${type} ${JSON.stringify(detail)}`;

function accountFor({ changed }: Asked, state: State, deliveries: readonly Delivery[]) {
  const { id, transitions = 0, isactive, cancelled_at } = state;
  const told = new Map<number, Set<string>>();
  for (const delivery of deliveries) {
    const { transition } = delivery.detail;
    told.set(transition, (told.get(transition) ?? new Set()).add(identity(delivery)));
  }
  const numbers = Array.from({ length: transitions }, (_, n) => n + 1);
  const committed = Math.ceil(transitions / 2);
  // The table and the last event must be of one transaction: they agree on the time.
  const last = deliveries.find(({ detail }) => !isactive && detail.transition === transitions)?.detail;
  return {
    committed,
    reactivated: Math.floor(transitions / 2),
    lost: numbers.filter((number) => !told.has(number)).length + Math.max(0, changed - committed),
    invented:
      [...told].reduce(
        (total, [number, identities]) =>
          total + identities.size - (number > 0 && number <= transitions ? 1 : 0),
        0,
      ) +
      deliveries.filter(({ type, detail }) => type !== typeOf(detail.transition) || detail.userid !== id)
        .length +
      (last && last.cancelled_at !== cancelled_at ? 1 : 0),
  };
}

/** Compares what was asked for, what the table says, and what was delivered; no event of another account counts. */
export function tally(
  fault: string,
  asked: readonly Asked[],
  states: readonly State[],
  deliveries: readonly Delivery[],
  pending: readonly { readonly detail: unknown }[],
): Row {
  const own = Map.groupBy(deliveries, ({ detail }) => detail.username);
  const accounts = asked.map((one, n) => accountFor(one, states[n] as State, own.get(one.username) ?? []));
  const cancels = asked
    .flatMap(({ username }) => own.get(username) ?? [])
    .filter(({ type }) => type === 'user_cancel');
  const ids = new Set(cancels.map(({ detail }) => detail.id)).size;
  const names = new Set(asked.map(({ username }) => username));
  const total = sum(asked, (one) => one.cancels);
  const ok = sum(asked, (one) => one.ok);
  return {
    fault,
    asked: total,
    ok,
    other: total - ok,
    committed: sum(accounts, ({ committed }) => committed),
    reactivated: sum(accounts, ({ reactivated }) => reactivated),
    delivered: cancels.length,
    ids,
    duplicates: cancels.length - ids,
    lost: sum(accounts, ({ lost }) => lost),
    invented: sum(accounts, ({ invented }) => invented),
    pending: pending.filter(({ detail }) => names.has((detail as { username: string }).username)).length,
  };
}

/** Whether events first came in this order, whatever came between and came again. */
export function isInOrder(ids: readonly string[], deliveries: readonly Delivery[]): boolean {
  const firsts = new Set(deliveries.map(({ detail }) => detail.id));
  const wanted = new Set(ids);
  const came = [...firsts].filter((id) => wanted.has(id));
  return came.length === wanted.size && came.every((id, n) => id === ids[n]);
}

/** Whether a row shows that nothing was lost, invented or left, each event under one id. */
export const holds = ({ committed, ids, lost, invented, pending }: Row) =>
  ids === committed && lost + invented + pending === 0;
