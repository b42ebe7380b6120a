import type { ComponentChildren } from 'preact';
import type { Account } from '#lib/client/index';
import { bulk as t } from '#texts/bulk';
import { nameOf } from '../../accounts/person.tsx';
import { Called } from '../../accounts/who.tsx';
import type { Said } from '../../said.ts';

/** The people whom something is about: one by name, others by their number. */
export const whom = (accounts: readonly Account[]): Said =>
  accounts.length === 1 ? <Called {...(accounts[0] as Account)} /> : t.people(accounts.length);

/** A person in a list, with what happens to them. */
export const line = (account: Account, text: ComponentChildren) => (
  <li key={account.id}>
    <Called {...account} /> {nameOf(account) && <bdi class="faint">{account.username} </bdi>}
    {text}
  </li>
);
