import { signal } from '@preact/signals';
import { entrance as t } from '#texts/entrance';
import { Button } from './button.tsx';
import { hrefTo } from './place.ts';
import { Time } from './time.tsx';

/** A session in the answer to a login. */
export interface LoggedIn {
  readonly username: string;
  readonly newest_passkey: { readonly name: string; readonly created_at: string } | null;
}

/** For so long a passkey is new, in milliseconds: nobody remembers older ones. */
const NEW_MS = 30 * 86_400_000;

const placeOf = (username: string) => `passkey ${username}`;

/** Remembers in this browser that the person knows the passkeys of an account up to a time. */
export function knowPasskeys(username: string, created_at: string) {
  localStorage[placeOf(username)] = created_at;
  if (newest.value?.username === username) newest.value = undefined;
}

/** A passkey that was created lately, and that the person has not confirmed in this browser. */
const newest = signal<{ username: string; name: string; created_at: string } | undefined>();

/** Notes the answer to a login. */
export function noteNewest({ username, newest_passkey: passkey }: LoggedIn) {
  const isNew = passkey && Date.now() - Date.parse(passkey.created_at) <= NEW_MS;
  // ISO times sort as texts.
  const isKnown = passkey && (localStorage[placeOf(username)] ?? '') >= passkey.created_at;
  newest.value = isNew && !isKnown ? { username, ...passkey } : undefined;
}

/** Shows a passkey that someone else may have created, until the person says that it is known. */
export function NewestPasskey() {
  if (!newest.value) return null;
  const { username, name, created_at } = newest.value;
  return (
    <div role="status" class="card">
      <p>
        {t.newest(<bdi key="name">{name}</bdi>, <Time key="time" of={created_at} />, (text) => (
          <a key="link" href={hrefTo('me', { part: 'passkeys' })}>
            {text}
          </a>
        ))}
      </p>
      <Button onClick={() => knowPasskeys(username, created_at)}>{t.known}</Button>
    </div>
  );
}
