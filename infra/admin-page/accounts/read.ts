import type { Account, Profile } from '#lib/client/index';
import { client } from '../session.ts';
import { noteNamesOf } from './names.tsx';

/** A profile, by default the own one, and its ETag: an update with it finds changes of others. */
export async function readProfile(username: string | undefined, signal: AbortSignal) {
  let etag = '';
  const onHeaders = (headers: Headers) => {
    etag = headers.get('etag') ?? '';
  };
  const profile = await client.account.profile(
    { ...(username && { username }), pscope: ['user', 'teams', 'roles', 'apps'] },
    { signal, onHeaders },
  );
  return { etag, ...(profile as Required<Profile>) };
}

/** A profile, with what loads it again. */
export type ReadProfile = Awaited<ReturnType<typeof readProfile>> & { readonly after: () => void };

/** An account with its profile. */
export async function readAccount(username: string, signal: AbortSignal) {
  const [{ value: item }, profile] = await Promise.all([
    client.account.browse({ username }, { signal }).next(),
    readProfile(username, signal),
  ]);
  if (item) noteNamesOf([item]);
  return { item: item as Account, ...profile };
}

/** An account as its sections receive it, with what loads it again. */
export type Read = Awaited<ReturnType<typeof readAccount>> & { readonly after: () => void };
