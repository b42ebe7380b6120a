import { useContext, useLayoutEffect, useState } from 'preact/hooks';
import type { Account } from '#lib/client/index';
import { isPseudonym } from '#lib/item/erasure';
import { ADMINISTRATOR, AT_ONCE, client, Me } from '../session.ts';
import { nameOf } from './person.tsx';

/** Names of people by their usernames, as they were loaded; empty for accounts without a name or that do not exist. */
const names = new Map<string, Promise<string>>();

/** Notes the names of accounts that a screen has loaded: they are not requested again. */
export function noteNamesOf(accounts: readonly Account[]) {
  for (const account of accounts) names.set(account.username, Promise.resolve(nameOf(account)));
}

/** Requests that may begin now; those of a long list wait for their turn. */
let free = AT_ONCE;
const waiting: (() => void)[] = [];

async function load(username: string) {
  if (free > 0) free--;
  else await new Promise<void>((begin) => waiting.push(begin));
  try {
    const { value } = await client.account.browse({ username }).next();
    return value ? nameOf(value) : '';
  } finally {
    const begin = waiting.shift();
    if (begin) begin();
    else free++;
  }
}

/** The name of the person or machine with a username; the username until it is loaded, and where nobody may load it. */
export function useNameOf(username: string): string {
  const { user, roles = [] } = useContext(Me) ?? {};
  const own = user?.username === username ? nameOf(user) : '';
  const mayLoad = own === '' && username !== '' && roles.includes(ADMINISTRATOR) && !isPseudonym(username);
  const [name, setName] = useState('');
  useLayoutEffect(() => {
    let isShown = true;
    if (mayLoad) {
      const loading = names.get(username) ?? load(username).catch(() => '');
      names.set(username, loading);
      loading.then((loaded) => isShown && setName(loaded));
    }
    return () => {
      isShown = false;
      setName('');
    };
  }, [username, mayLoad]);
  return own || name || username;
}

/** The name of a person, with the username on hover. */
export const NameOf = ({ username }: Pick<Account, 'username'>) => (
  <bdi title={username}>{useNameOf(username)}</bdi>
);
