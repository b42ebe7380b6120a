import type { Account, Profile } from '../../../client/index.ts';
import { client } from '../session.ts';

/** An account, and the ETag of its profile: an update with it finds changes of others. */
export async function readAccount(username: string, signal: AbortSignal) {
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

/** An account as its sections receive it, with what loads it again. */
export type Read = Awaited<ReturnType<typeof readAccount>> & { readonly after: () => void };
