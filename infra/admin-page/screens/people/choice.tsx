import { signal } from '@preact/signals';
import type { Account } from '#lib/client/index';
import { people as t } from '#texts/people';
import { nameOf } from '../../accounts/person.tsx';

/** The most accounts that one action changes. */
export const MAX_CHOSEN = 1000;

export const minus = (some: readonly Account[], others: readonly Account[]) => {
  const ids = new Set(others.map(({ id }) => id));
  return some.filter(({ id }) => !ids.has(id));
};

/** The accounts that are chosen on any page of the list: they stay when another screen is visited. */
const choice = signal<readonly Account[]>([]);

export const setChosen = (accounts: readonly Account[]) => {
  choice.value = accounts;
};

/** Chooses more accounts, up to the most. */
export const choose = (accounts: readonly Account[]) =>
  setChosen([...choice.value, ...minus(accounts, choice.value)].slice(0, MAX_CHOSEN));

/** The chosen accounts, as newly loaded where they are on the page, and a column of boxes that choose them. */
export function useChoice(items: readonly Account[]) {
  const loaded = new Map(items.map((item) => [item.id, item]));
  const chosen = choice.value.map((account) => loaded.get(account.id) ?? account);
  const isFull = chosen.length >= MAX_CHOSEN;
  const box = (label: string, some: readonly Account[]) => {
    const free = minus(some, chosen);
    return (
      <input
        type="checkbox"
        aria-label={label}
        checked={free.length === 0}
        indeterminate={free.length > 0 && free.length < some.length}
        disabled={isFull && free.length === some.length}
        onChange={({ currentTarget }) =>
          currentTarget.checked && !isFull ? choose(free) : setChosen(minus(chosen, some))
        }
      />
    );
  };
  const head = box(t.selectPage, items);
  const cell = (item: Account) => box(t.select(`${nameOf(item)} ${item.username}`.trim()), [item]);
  const elsewhere = minus(chosen, items).length;
  return { chosen, elsewhere, boxes: { label: t.columns.select, head, cell } };
}
