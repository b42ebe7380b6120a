import type { Account } from '#lib/client/index';
import { parts as t } from '#texts/parts';
import { Chip } from '../chip.tsx';

interface Named {
  readonly username: string;
  readonly user_first_name?: string | null | undefined;
  readonly user_last_name?: string | null | undefined;
}

/** The real name of a person; empty if the account has none. */
export const nameOf = ({ user_first_name, user_last_name }: Named) =>
  `${user_first_name ?? ''} ${user_last_name ?? ''}`.trim();

/** Names as chips. */
export const Chips = ({ of }: { readonly of: readonly string[] }) =>
  of.length > 0 ? (
    <span class="row">
      {of.map((name) => (
        <Chip key={name} of={name} />
      ))}
    </span>
  ) : (
    <span class="faint">{t.none}</span>
  );

/** Some names, and the number of the others. */
export const few = (names: Account['role_names'] = []) => (
  <span title={names.join(', ')}>
    {names.slice(0, 2).map((name, index) => [index > 0 && ', ', <bdi key={name}>{name}</bdi>])}
    {names.length > 2 && <span class="faint"> +{names.length - 2}</span>}
  </span>
);
