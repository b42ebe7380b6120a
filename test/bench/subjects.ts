import { randomBytes } from 'node:crypto';
import { createAccount } from '#lib/account/create';
import type { Actor } from '#lib/event/event';
import type { Account } from '#lib/item/account';
import { routes } from '#lib/routes';
import { createToken } from '#lib/token/create';
import type { Target } from '../../infra/admin/target.ts';
import { toEvent } from '../../infra/local/services/gateway/payload.ts';
import { openRouter } from '../../infra/local/services/gateway/router.ts';
import { preparationOf, requestOf, type Sample, samplesOf } from '../integration/requests.ts';
import { storedSession } from '../unit/support/items.ts';

/** A request of one endpoint, and the credential of its caller. */
export interface Subject {
  readonly method: string;
  readonly path: string;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>> | undefined;
  readonly jwt?: string;
  readonly token?: string;
}

/** An instance to send requests to, with a session and an API token of its administrator. */
export interface Instance {
  readonly runtime: Target['runtime'];
  readonly actor: Actor;
  readonly url: string;
  readonly jwt: string;
  readonly token: string;
}

/** Endpoints that the account itself calls. */
const OWN = [
  'account.logout',
  'account.password',
  'account.profile',
  'account.profile-update',
  'account.context',
];

/** A change of what the directory shows. */
const RENAMED: Sample = { own: true, body: () => ({ user_first_name: 'Augusta' }) };

const PASSWORD = 'correct horse battery staple';

const headersOf = ({ json, form, jwt, token }: Subject) => ({
  ...(jwt ? { authorization: `Bearer ${jwt}` } : token ? { authorization: `Token ${token}` } : {}),
  ...(json === undefined ? {} : { 'content-type': 'application/json' }),
  ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
});

const bodyOf = ({ json, form }: Subject) =>
  json === undefined ? form && `${new URLSearchParams(form)}` : JSON.stringify(json);

/** Sends a request to an instance. @throws Error unless it succeeds */
export async function send(url: string, subject: Subject) {
  const { method, path } = subject;
  const body = bodyOf(subject);
  const response = await fetch(url + path, { method, headers: headersOf(subject), body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return text;
}

/** Creates a session; with an API token as its password, which needs no hash, for the username `api`. */
export async function logIn(url: string, password: string, username = 'api'): Promise<string> {
  const json = { username, password };
  const answer = await send(url, { method: 'POST', path: '/api/core/account/login', json });
  return JSON.parse(answer).data.JWTtoken;
}

/** Makes requests of an endpoint one after the other: each succeeds, and changes an account of its own. */
export function subjectsOf(id: string, { runtime, actor, url, jwt }: Instance) {
  const isLogin = id === 'account.login';
  const own = samplesOf(id).find(({ name }) => OWN.includes(id) && name === 'own');
  const sample = id === 'account.profile-update' ? RENAMED : (own ?? samplesOf(id)[0]);
  let user: Account | undefined;
  return async (): Promise<Subject> => {
    // Most logins come from an address that the account has logged in from before.
    if (!user || !isLogin)
      user = await createAccount(runtime, {
        username: `user-${randomBytes(6).toString('hex')}`,
        ...(isLogin || id === 'account.password' ? { password: PASSWORD } : {}),
      });
    if (!isLogin) await storedSession(runtime.table, user);
    const names = { username: user.username, password: PASSWORD };
    for (const [method, path, content] of preparationOf(id, names, sample))
      await send(url, { method, path, jwt, json: content.json });
    const session = async () =>
      logIn(url, (await createToken(runtime, user as Account, 'own', actor)).value as string);
    const [method, path, { json, form }] = requestOf(id, names, sample);
    const caller = isLogin ? {} : { jwt: OWN.includes(id) ? await session() : jwt };
    return { method, path, json, form, ...caller };
  };
}

const route = openRouter(routes);

/** The event that the gateway passes to the function. */
export function eventOf(subject: Subject, requestId: string) {
  const { method, path } = subject;
  const match = route(method, path);
  if (!match || match === 'malformed') throw new Error(`No route for ${method} ${path}`);
  const headers = { host: '127.0.0.1:3000', 'accept-encoding': 'gzip', ...headersOf(subject) };
  return toEvent(
    {
      method,
      target: path,
      protocol: 'HTTP/1.1',
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [String(value)]]),
      ),
      body: Buffer.from(bodyOf(subject) ?? ''),
      sourceIp: '192.0.2.1',
      requestId,
      receivedAt: new Date(),
    },
    match,
  );
}
