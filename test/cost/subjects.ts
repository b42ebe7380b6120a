import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { createAccount } from '#lib/account/create';
import type { Actor } from '#lib/event/account-event';
import type { Account } from '#lib/item/account';
import type { Announcing } from '#lib/outbox/announcement';
import type { Runtime } from '#lib/runtime';
import { ping } from '#lib/system/contracts';
import { accountKey, directoryIndex } from '#lib/table/keys';
import { update } from '#lib/table/write';
import { startOfDay, withoutZone } from '#lib/time';
import { createToken } from '#lib/token/create';
import { documentsOf } from '../document-client.ts';
import { requestOf } from '../integration/requests.ts';
import type { Call } from '../integration/service.ts';

/** Accounts in the directory, and on a page of it. */
const DIRECTORY = 10_000;
const PAGE = 1000;

/** An account that no measured request is about. */
export const FILLER = 'filler';

const PASSWORD = 'correct horse battery';
const README = readFileSync('README.md', 'utf8');

/** A request of one function, and who sends it. */
export interface Subject {
  readonly method: string;
  readonly path: string;
  readonly json?: unknown;
  readonly jwt?: string | undefined;
  readonly token?: string | undefined;
}

export interface Instance {
  readonly runtime: Announcing;
  readonly url: string;
  readonly administrator: string;
  /** Who makes accounts and tokens beside the requests. */
  readonly actor: Actor;
  /** A session and a token of the administrator. */
  readonly jwt: string;
  readonly token: string;
}

/** What is asked for, where the request of the tests is no usual one. */
const USUAL: Readonly<Record<string, [method: string, path: string, json?: unknown]>> = {
  'account.profile-update': ['POST', '/api/core/account/profile-update', { user_first_name: 'Augusta' }],
  'account.profile': ['GET', '/api/core/account/profile'],
  'account.browse': ['GET', `/api/core/account/browse?limit=${PAGE}`],
  'account.context': ['POST', '/api/core/account/context/core'],
  'system.preview': ['POST', '/api/core/system/preview', { painput: README }],
  'system.uuids': ['GET', '/api/core/system/uuids?n=100'],
};

/** What ends the sessions of its caller, or changes its account. */
const OWN_SESSION: ReadonlySet<string> = new Set([
  'account.logout',
  'account.context',
  'account.profile-update',
]);

/** Told of requests whose cost depends on what is asked for. */
export const ABOUT: Readonly<Record<string, string>> = {
  'account.browse': `${PAGE} accounts`,
  'system.preview': `${Math.round(README.length / 1000)} kB`,
  'system.uuids': '100 of them',
};

/** The largest request of a function, which shows how much memory it may need. */
export const LARGEST: Readonly<Record<string, [method: string, path: string, json?: unknown]>> = {
  'account.browse': ['GET', '/api/core/account/browse'],
  'system.preview': [
    'POST',
    '/api/core/system/preview',
    { painput: README.repeat(Math.floor(900_000 / README.length)) },
  ],
  'system.uuids': ['GET', '/api/core/system/uuids?n=10000'],
  'system.ping': ['POST', '/api/core/system/ping', { text: 'x'.repeat(250_000) }],
  'account.profile-update': [
    'POST',
    '/api/core/account/profile-update',
    { username: FILLER, user_properties: { root: { text: 'x'.repeat(60_000) } } },
  ],
};

/** Sends a request to the instance itself. @throws Error unless it succeeds */
export async function send(url: string, { method, path, json, jwt, token }: Subject) {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(jwt || token ? { authorization: jwt ? `Bearer ${jwt}` : `Token ${token}` } : {}),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return (JSON.parse(text) as { data: { JWTtoken: string } }).data;
}

/** A session for a token: it takes no hash. */
export const logIn = async (url: string, password: string, username = 'api') =>
  (await send(url, { method: 'POST', path: '/api/core/account/login', json: { username, password } }))
    .JWTtoken;

/** Makes one request of an endpoint after the other, each of which succeeds and changes what it is there to change. */
export function subjectsOf(id: string, { runtime, actor, url, jwt }: Instance) {
  let user: Account | undefined;
  const make = (password?: string) =>
    createAccount(runtime, {
      username: `user-${randomBytes(6).toString('hex')}`,
      user_first_name: 'Ada',
      user_last_name: 'Lovelace',
      apps: ['planning', 'core'],
      ...(password ? { password } : {}),
    });
  const before = async (account: Account): Promise<string> => {
    const path = (verb: string) => `/api/core/account/${verb}/${account.username}`;
    if (id === 'account.unlock') await send(url, { method: 'POST', path: path('lock'), jwt });
    if (id === 'account.reactivate') await send(url, { method: 'POST', path: path('cancel'), jwt });
    if (/^token\.(delete|list-user)$/.test(id)) await createToken(runtime, account, 'first', actor);
    if (!OWN_SESSION.has(id)) return jwt;
    return logIn(url, (await createToken(runtime, account, 'own', actor)).value as string);
  };
  return async (): Promise<Subject> => {
    // A login is measured as most are: of who has logged in from there before.
    user = id === 'account.login' && user ? user : await make(id === 'account.login' ? PASSWORD : undefined);
    const caller = await before(user);
    const [method, path, request] =
      USUAL[id] ?? requestOf(id, { username: user.username, password: PASSWORD });
    const json = USUAL[id] ? request : (request as Call | undefined)?.json;
    return { method, path, json, ...(id === 'account.login' ? {} : { jwt: caller }) };
  };
}

/** Fills the directory up, as so many accounts of operators would. */
export async function fillDirectory({ table, uuid }: Runtime, like: Account): Promise<void> {
  const put = (index: number) => {
    const username = `filler-${String(index).padStart(6, '0')}@example.com`;
    const item = { ...like, ...accountKey(username), ...directoryIndex(username), username, id: uuid() };
    return { PutRequest: { Item: item } };
  };
  const batches = Array.from({ length: DIRECTORY / 25 }, (_, batch) =>
    Array.from({ length: 25 }, (__, index) => put(batch * 25 + index)),
  );
  for (const batch of batches)
    await documentsOf(table).send(new BatchWriteCommand({ RequestItems: { [table.name]: batch } }));
}

/** A request that does nothing but authenticate. */
export const PING = { contract: ping, request: { method: 'GET', path: ping.path } } as const;

/** The same by a session whose account was last active so long ago that its activity is written. */
export const idlePing =
  ({ runtime, administrator, jwt }: Instance) =>
  async (): Promise<Subject> => {
    const then = Math.max(startOfDay(Date.now()), Date.now() - 600_000);
    await update(runtime.table, {
      Key: accountKey(administrator),
      UpdateExpression: 'SET lastActivity = :then, never_used = :false',
      ExpressionAttributeValues: { ':then': withoutZone(then), ':false': false },
    });
    return { ...PING.request, jwt };
  };
