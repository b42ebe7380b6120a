import { signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { CoreAccountError, createClient, type Profile, type RequestOptions } from '#lib/client/index';
import { parseExactly } from '#lib/input/exact-json';
import { sessionIdIn } from '#lib/session/session-id';
import { dropDrafts, hasDrafts } from './drafts.ts';
import type { Fields } from './form.tsx';
import { type LoggedIn, noteNewest } from './newest-passkey.tsx';
import { addressWithName, hasPasskeys, usePasskey } from './passkey.ts';
import { answer, isGiven, latestAnswer, type Proof, proofFor, type Refusal } from './proof.ts';

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

/** ID of the session of this browser, to mark it in a list; empty if it is not known. */
export const ownSession = signal(document.documentElement.dataset['session'] ?? '');

type Opened = LoggedIn & { readonly JWTtoken: string };

/** Notes the session that the browser has from now on. */
export const noteSession = ({ JWTtoken, ...opened }: Opened) => {
  ownSession.value = sessionIdIn(`${JWTtoken}`);
  noteNewest(opened);
};

/** Notes a session that replaces the one of this browser, and ends that: nothing has its token any more. */
function replaceSession(opened: Opened) {
  const session_id = ownSession.value;
  noteSession(opened);
  // If that fails, it stays in the list of sessions until it expires.
  if (session_id) client.account.endSession({ session_id }).catch(() => undefined);
}

/**
 * Whether this entry of the history was last shown to an administrator, and the session has not ended since. Drafts wait
 * for the name of the person: another one may have logged in.
 */
export let isReload = hasSession.value && history.state?.isAdministrator === true && !hasDrafts();

function setOpen(isOpen: boolean) {
  isReload = false;
  if (isOpen) opened.resolve();
  else {
    opened = Promise.withResolvers();
    ownSession.value = '';
  }
  hasSession.value = isOpen;
}

/** Grows when the own account may have changed: by the person, or when a request was refused because a role was missing. */
export const ownChanges = signal(0);

/** Changes when a request stays unconfirmed: work on many items stops there. */
export let latestDenial: object = {};

/** The data of a refusal, unless a gateway or a proxy gave it. */
async function refusalIn(response: Response): Promise<Refusal> {
  const copy = response.ok ? undefined : response.clone();
  return (await copy?.json().catch(() => {}))?.data ?? {};
}

/**
 * Sends a request: again after a login if its session has ended, and once more after a proof that it lacks. Dialogs keep
 * their input.
 */
async function fetchInSession(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  for (let isProved = false; ; ) {
    await opened.promise;
    const [sentIn, sentAs] = [opened, ownSession.value];
    const sentAfter = latestAnswer();
    const signals = [...(init.signal ? [init.signal] : []), AbortSignal.timeout(TIMEOUT_MS)];
    const response = await fetch(input, { ...init, signal: AbortSignal.any(signals) });
    const refusal = await refusalIn(response);
    const { code } = refusal;
    if (code === 'unauthenticated') {
      // The session that was replaced meanwhile has ended; that of the browser has not.
      if (sentIn === opened && sentAs === ownSession.value) setOpen(false);
      continue;
    }
    const proof: Proof | undefined = isProved ? undefined : proofFor(refusal);
    isProved = proof !== undefined && (await isGiven(proof, sentAfter, init.signal));
    if (isProved) continue;
    if (code === 'forbidden') ownChanges.value++;
    if (code === 'step_up_required') latestDenial = {};
    return response;
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
  const owner = instance?.['kv.v.owner.name'] || document.documentElement.dataset['owner'];
  return owner || new URL(instance?.['kv.v.api.url'] || url).host;
}

/** Base URL of the API for programs, without a final slash. */
export const useApiUrl = () => (useContext(Me)?.instance?.['kv.v.api.url'] || url).replace(/\/$/, '');

/** The username of the person who has logged in; empty until it is loaded. */
export const useOwnName = () => useContext(Me)?.user?.username ?? '';

const openSession = (username: string, password: string, { signal }: RequestOptions) =>
  entrance.account.login({ username, password, createCookie: true }, { signal });

/** Opens a session, which the browser keeps in a cookie that no script can read. */
export async function logIn({ username = '', password = '' }: Fields, options: RequestOptions) {
  replaceSession(await openSession(username, password, options));
  setOpen(true);
}

/**
 * Opens a session by a passkey.
 *
 * @param username of the person whose page waits for it; another person starts with an empty page
 */
export async function logInWithPasskey(
  options: RequestOptions,
  username?: string,
  mediation?: CredentialMediationRequirement,
) {
  // An earlier cookie would bind the challenge to its account, or be refused.
  const credential = await usePasskey(withoutCookie, options, mediation);
  const opened = await entrance.account.passkeyAssert({ credential, createCookie: true }, options);
  if (username !== undefined && opened.username !== username) return leave();
  noteSession(opened);
  setOpen(true);
}

/** Challenges end after five minutes, and a page with a login may be open for days. */
const OFFER_MS = 4 * 60_000;

/** Offers passkeys in the list of a field for usernames, until `signal`: nothing where the browser cannot. */
export async function offerPasskeys(signal: AbortSignal) {
  if (addressWithName() || !hasPasskeys()) return;
  const isAble = PublicKeyCredential.isConditionalMediationAvailable?.();
  if (!(await isAble?.catch(() => false))) return;
  while (!signal.aborted) {
    const ending = AbortSignal.any([signal, AbortSignal.timeout(OFFER_MS)]);
    try {
      return await logInWithPasskey({ signal: ending }, undefined, 'conditional');
    } catch (error) {
      if (!ending.aborted) {
        if (error instanceof CoreAccountError && error.status === 401) throw error;
        // Without a challenge, or with a device that fails, the other ways to log in remain.
        return;
      }
    }
    if (!signal.aborted) await untilVisible(signal);
  }
}

/** Waits while people look at another tab. */
const untilVisible = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const check = () => document.visibilityState === 'visible' && resolve();
    document.addEventListener('visibilitychange', check, { signal });
    signal.addEventListener('abort', () => resolve());
    check();
  });

/** Raises the session by a passkey of its account. */
export async function confirmWithPasskey({ signal }: RequestOptions) {
  const credential = await usePasskey(client, { signal });
  replaceSession(await entrance.account.passkeyAssert({ credential, createCookie: true }, { signal }));
  answer(true);
}

/** Sets a password with a one-time code, which opens a session. */
export async function redeemCode({ username = '', ...fields }: Fields, options: RequestOptions) {
  const form = { username, code: fields['code'], new_password: fields['new_password'] ?? '' };
  try {
    noteSession(await entrance.account.password({ ...form, createCookie: true }, options));
  } catch (error) {
    // The service refuses a code together with an earlier cookie; without the cookie, the answer sets none, so log in.
    if (!(error instanceof CoreAccountError && error.code === 'unauthenticated')) throw error;
    await withoutCookie.account.password(form, options);
    noteSession(await openSession(username, form.new_password, options));
  }
  // Without an event, so that the notice of the answer stays for the next screen.
  history.replaceState(null, '', location.pathname + location.search);
  setOpen(true);
}

/** ID of the session in the cookie: another tab may have replaced the one that this page has noted. */
async function presentSession(signal: AbortSignal | undefined) {
  const page = await fetch(location.href.split('#')[0] as string, {
    cache: 'no-store',
    ...(signal && { signal }),
  });
  return / data-session="([\da-f-]+)"/.exec(await page.text())?.[1] ?? ownSession.value;
}

/** Ends the session of this browser, with its cookie, and forgets everything. */
export async function logOut({ signal }: RequestOptions) {
  const session_id = await presentSession(signal);
  const ending = session_id ? entrance.account.endSession({ session_id }, { signal }) : undefined;
  await ending?.catch((error) => {
    // It has ended already.
    if (!(error instanceof CoreAccountError && error.code === 'unauthenticated')) throw error;
  });
  leave();
}

/** Ends all sessions of the person, on all devices, and forgets everything. */
export const logOutEverywhere = (options: RequestOptions) => client.account.logout({}, options).then(leave);

/** Forgets the loaded data, what was typed, and the address of the page, but not its language, and shows the login. */
export function leave() {
  dropDrafts();
  location.replace(location.pathname + location.search);
}
