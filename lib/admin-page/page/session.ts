import { signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { CoreAccountError, createClient, type Profile, type RequestOptions } from '../../client/index.ts';
import { parseExactly } from '../../input/exact-json.ts';
import type { Fields } from './form.tsx';

/** Base URL of the instance: the page is at `/api/core/admin` below it. */
const url = new URL('../..', location.href).href;

/** Longest wait for an answer in milliseconds; the gateway waits 30 seconds. */
const TIMEOUT_MS = 35_000;

/** Requests in flight for work on many accounts. */
export const AT_ONCE = 4;

/** Requests wait for this promise; a new one begins when the session has ended. */
let opened = Promise.withResolvers<void>();

/** Whether requests have a session; false until a person logs in. */
export const hasSession = signal('session' in document.documentElement.dataset);
if (hasSession.value) opened.resolve();

/** Whether this entry of the history was last shown to an administrator, and the session has not ended since. */
export let isReload = hasSession.value && history.state?.isAdministrator === true;

function setOpen(isOpen: boolean) {
  isReload = false;
  if (isOpen) opened.resolve();
  else opened = Promise.withResolvers();
  hasSession.value = isOpen;
}

/** Grows when the own account may have changed: by the person, or when a request was refused because a role was missing. */
export const ownChanges = signal(0);

/** The code of a refusal, unless a gateway or a proxy gave it. */
async function codeOf(response: Response): Promise<string | undefined> {
  const copy = response.ok ? undefined : response.clone();
  return (await copy?.json().catch(() => {}))?.data?.code;
}

/** Sends a request, and again after a login if its session has ended: dialogs keep their input. */
async function fetchInSession(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  for (;;) {
    await opened.promise;
    const sentIn = opened;
    const signals = [...(init.signal ? [init.signal] : []), AbortSignal.timeout(TIMEOUT_MS)];
    const response = await fetch(input, { ...init, signal: AbortSignal.any(signals) });
    const code = await codeOf(response);
    if (code === 'forbidden') ownChanges.value++;
    if (code !== 'unauthenticated') return response;
    if (sentIn === opened) setOpen(false);
  }
}

const IN_SESSION = { url, fetch: fetchInSession, timeoutMs: 2 ** 31 - 1, parse: parseExactly };

/** The client of all screens: its credential is the session cookie. Its own timeout would include the login. */
export const client = createClient(IN_SESSION);

/** A client that sends each request once, for work that waits for a busy service by itself and says so. */
export const onceClient = createClient({ ...IN_SESSION, tries: 1 });

const entrance = createClient({ url });
const withoutCookie = createClient({
  url,
  fetch: (input, init) => fetch(input, { ...init, credentials: 'omit' }),
});

/** The role that the page requires. */
export const ADMINISTRATOR = 'sys_administrator';

/** Profile of the person who has logged in; undefined until it is loaded. */
export const Me = createContext<Profile | undefined>(undefined);

/** Name of the owner of the instance, else the host of its address. */
export function useInstance() {
  const instance = useContext(Me)?.instance;
  return instance?.['kv.v.owner.name'] || new URL(instance?.['kv.v.api.url'] || url).host;
}

/** The username of the person who has logged in; empty until it is loaded. */
export const useOwnName = () => useContext(Me)?.user?.username ?? '';

const openSession = (username: string, password: string, { signal }: RequestOptions) =>
  entrance.account.login({ username, password, createCookie: true }, { signal });

/** Opens a session, which the browser keeps in a cookie that no script can read. */
export async function logIn({ username = '', password = '' }: Fields, options: RequestOptions) {
  await openSession(username, password, options);
  setOpen(true);
}

/** Sets a password with a one-time code, which opens a session. */
export async function redeemCode({ username = '', ...fields }: Fields, options: RequestOptions) {
  const form = { username, code: fields['code']?.trim(), new_password: fields['new_password'] ?? '' };
  try {
    await entrance.account.password({ ...form, createCookie: true }, options);
  } catch (error) {
    // The service refuses a code together with an earlier cookie; without the cookie, the answer sets none, so log in.
    if (!(error instanceof CoreAccountError && error.code === 'unauthenticated')) throw error;
    await withoutCookie.account.password(form, options);
    await openSession(username, form.new_password, options);
  }
  // Without an event, so that the notice of the answer stays for the next screen.
  history.replaceState(null, '', location.pathname);
  setOpen(true);
}

/** Forgets the loaded data and the address of the page, and shows the login. */
export const leave = () => location.replace(location.pathname);
