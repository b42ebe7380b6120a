import { inject } from 'vitest';
import { readAccount } from '#lib/account/account';
import { createAccount, type NewAccount } from '#lib/account/create';
import { type Client, type ClientOptions, type Credential, createClient } from '#lib/client/index';
import type { Account } from '#lib/item/account';
import { hashPassword, newPassword } from '#lib/password/hash';
import { passwordKey } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { createToken } from '#lib/token/create';
import type { RequestedTerms } from '#lib/token/terms';
import { openTarget, type Target } from '../../infra/admin/target.ts';
import { newAuthenticator } from '../authenticator.ts';
import { newName, seededBytes } from '../names.ts';
import { undocumented } from '../openapi/checked.ts';
import { giveHeld, storedSession } from '../unit/support/items.ts';
import { type Names, preparationOf, type Request, requestOf, samplesOf } from './requests.ts';

export const baseUrl = inject('baseUrl');

/** Every credential that this test file has used. */
export const credentials = new Set<string>();

/** The id of every request of the running test, and the base URL that it went to. */
export const requests = new Map<string, string>();

/** Records a credential, so that all logs are searched for it. */
export function noted<T extends string>(credential: T): T {
  if (credential.length > 7) credentials.add(credential);
  return credential;
}

export interface Call {
  readonly token?: string;
  readonly jwt?: string;
  readonly headers?: Record<string, string>;
  /** Sent as JSON ... */
  readonly json?: unknown;
  /** ... or as a form ... */
  readonly form?: Readonly<Record<string, string>>;
  /** ... or as it is, with the content type of `headers`. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly base?: string;
}

export interface Envelope<Data = Record<string, unknown>> {
  readonly success: boolean;
  readonly message: string;
  readonly requestID: string;
  readonly executed_at: string;
  readonly data: Data;
}

export interface Reply<Data> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body. */
  readonly body: Envelope<Data>;
  /** `data.code` of a failure. */
  readonly code: string | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: each test checks the data that it expects
type Loose = any;

/** Sends one request without types; use {@link clientOf} for requests that a client can express. */
export async function call<Data = Loose>(
  method: string,
  path: string,
  request: Call = {},
): Promise<Reply<Data>> {
  const { token, jwt, json, form, base = baseUrl } = request;
  const raw = form ? new URLSearchParams(form) : request.body;
  const response = await checkedFetch(base + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(token === undefined ? {} : { authorization: `Token ${noted(token)}` }),
      ...(jwt === undefined ? {} : { authorization: `Bearer ${noted(jwt)}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    },
    body: json === undefined ? raw : JSON.stringify(json),
  });
  const text = await response.text();
  const body = isJson(response) && text ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, text, body, code: body?.data?.code };
}

const typeOf = ({ headers }: Response) => headers.get('content-type')?.replace(/;.*/, '') ?? '';
const isJson = (response: Response) => typeOf(response).includes('json');

/**
 * Sends a request as `fetch` does, and records it with the credentials in its answer.
 *
 * @throws Error if the answer is not described by the OpenAPI document
 */
export const checkedFetch: typeof fetch = async (input, init) => {
  const { origin, pathname, search } = new URL(String(input));
  const response = await fetch(input, init);
  requests.set(response.headers.get('x-request-id') ?? '', origin);
  const text = await response.clone().text();
  const payload = isJson(response) && text ? JSON.parse(text) : text;
  const header = (name: string) => response.headers.get(name) ?? '';
  const isOwn = response.headers.has('x-request-id');
  const seen = { status: response.status, type: text && typeOf(response), isOwn, header, payload };
  const fault = undocumented(init?.method ?? 'GET', pathname + search, seen);
  if (fault) throw new Error(fault);
  return response;
};

/** A client of the service under test, whose answers are checked as all are. */
export const clientOf = (credential?: Credential, options: Partial<ClientOptions> = {}): Client =>
  createClient({ url: baseUrl, credential, fetch: checkedFetch, ...options });

export const get = <Data = Loose>(path: string, request?: Call) => call<Data>('GET', path, request);
export const post = <Data = Loose>(path: string, request?: Call) => call<Data>('POST', path, request);

const adminToken = noted(inject('adminToken'));

/** The first administrator. */
export const admin: Call = { token: adminToken };

/** The same, as a client. */
export const administrator = clientOf({ token: adminToken });

let opened: Promise<Target> | undefined;

/** The target of operator commands: the same instance. */
export const target = () => {
  opened ??= openTarget({ data: inject('data'), stack: inject('stack') });
  return opened;
};

/** Forgets the credentials of the running file. */
export function forget(): void {
  opened = undefined;
  credentials.clear();
  noted(adminToken);
}

/** Sends what has to come before a request of an endpoint about an account, by default before the usual one. */
export async function prepare(
  id: string,
  names: Names,
  as = admin,
  sample = samplesOf(id)[0],
  of?: Target,
  device = newAuthenticator(),
): Promise<void> {
  const { table } = (of ?? (await target())).runtime;
  const holder = sample.holds && (await readAccount(table, names.username));
  if (holder) await giveHeld(table, holder, sample.holds, device);
  for (const [method, path, content] of preparationOf(id, names, sample))
    await call(method, path, { ...as, ...content });
}

/** An address is no RP ID: the local instance is used as localhost. */
export const origin = baseUrl.replace('127.0.0.1', 'localhost');

/** A new API token of an account, whoever may create one by a request. */
async function tokenOf(username: string, of?: Target): Promise<string> {
  const { runtime } = of ?? (await target());
  const account = (await readAccount(runtime.table, username)) as Account;
  const by = { by: username, requestId: 'prepared' };
  return noted((await createToken(runtime, account, uniqueName('presented'), by)).value as string);
}

/** The usual request of an endpoint about an account, after what has to come before, with the credential that it presents. */
export async function prepared(id: string, names: Names, as: Call, of?: Target): Promise<Request> {
  const device = newAuthenticator();
  await prepare(id, names, as, undefined, of, device);
  const [{ presents }] = samplesOf(id);
  const ask = async (purpose: string, caller: Call) =>
    (await post('/api/core/account/passkey/options', { ...caller, json: { purpose } })).body.data.options;
  const present: Partial<Record<typeof presents & string, () => Promise<string>>> = {
    token: () => tokenOf(names.username, of),
    creation: async () => JSON.stringify(device.create(await ask('create', as), { origin })),
    assertion: async () =>
      JSON.stringify(device.get(await ask('assert', as.base ? { base: as.base } : {}), { origin })),
  };
  return requestOf(id, presents ? { ...names, presented: await present[presents]?.() } : names);
}

/** Sends the usual request of an endpoint about an account, after what has to come before. */
export async function succeed(id: string, names: Names, as: Call, of?: Target): Promise<Reply<Loose>> {
  const [method, path, content] = await prepared(id, names, as, of);
  const reply = await call(method, path, { ...as, ...content });
  if (reply.status !== 200) throw new Error(`${id} answered ${reply.status}: ${reply.text}`);
  return reply;
}

/** A name that nothing else of the run has. */
export const uniqueName = (prefix = 'user') => newName(prefix);

export interface User {
  readonly account: Account;
  readonly username: string;
  readonly password: string;
  /** Logs in and answers the session token. */
  readonly logIn: () => Promise<string>;
  /** Creates an API token. */
  readonly token: (name?: string, limits?: Partial<RequestedTerms>) => Promise<string>;
}

/** A password that no log contains by chance. */
export const newPasswordText = () => noted(seededBytes(12).toString('base64url'));

/** One password for all accounts, hashed once: the cost of bcrypt does not matter here. */
const password = newPasswordText();
const passwordHash = hashPassword(newPassword(password, ''), 10);

/** Creates an account with a password, as an operator does. */
export async function createUser(input: Partial<NewAccount> = {}): Promise<User> {
  const { runtime } = await target();
  const account = await createAccount(runtime, { username: uniqueName(), ...input });
  const { username } = account;
  if (!('password' in input)) await put(runtime.table, passwordKey(username), { hash: await passwordHash });
  await storedSession(runtime.table, account);
  const own = noted(input.password ?? password);
  return {
    account,
    username,
    password: own,
    logIn: () => logIn(username, own),
    token: async (name = uniqueName('token'), limits = {}) =>
      noted((await administrator.token.create({ token_name: name, username, ...limits })).value),
  };
}

export async function logIn(username: string, password: string): Promise<string> {
  return noted((await clientOf().account.login({ username, password })).JWTtoken);
}
