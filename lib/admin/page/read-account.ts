import type { Account, Profile } from '../../client/index.ts';
import { client } from './session.ts';

/** An account as its sections receive it. */
export interface Read extends Required<Omit<Profile, 'instance'>> {
  readonly item: Account;
  /** Of the profile: an update with it finds changes of others. */
  readonly etag: string;
  /** Loads the account again. */
  readonly after: () => void;
}

/** Reads the account of a screen, with the profile. */
export async function readAccount(username: string, signal: AbortSignal): Promise<Omit<Read, 'after'>> {
  let etag = '';
  const onHeaders = (headers: Headers) => {
    etag = headers.get('etag') ?? '';
  };
  const [{ value: item }, profile] = await Promise.all([
    client.account.browse({ username }, { signal }).next(),
    client.account.profile({ username, pscope: ['user', 'teams', 'roles', 'apps'] }, { signal, onHeaders }),
  ]);
  return { item: item as Account, etag, ...(profile as Required<Profile>) };
}
