import { accountKey, tokenNames } from '#lib/table/keys';
import { query, get as read } from '#lib/table/read';
import { baseUrl, get, target, type User } from '../service.ts';

export const PING = '/api/core/system/ping';

/** What a way adds to a request. */
export interface Presented {
  readonly headers?: Record<string, string>;
  readonly query?: string;
}

/** Presents a credential, as it is, in one of the ways of the interface. */
export type Way = (value: string) => Presented;

const queried = (value: string): Presented => ({ query: `ptoken=${encodeURIComponent(value)}` });

/** The ways to present a session token (RFC 6750 section 2, RFC 6265). */
export const SESSION_WAYS = {
  Bearer: (value) => ({ headers: { authorization: `Bearer ${value}` } }),
  cookie: (value) => ({ headers: { cookie: `ptoken=${value}` } }),
  query: queried,
} as const satisfies Record<string, Way>;

/** The ways to present an API token (RFC 7617 for Basic). */
export const TOKEN_WAYS = {
  Token: (value) => ({ headers: { authorization: `Token ${value}` } }),
  Basic: (value) => ({
    headers: { authorization: `Basic ${Buffer.from(`api:${value}`).toString('base64')}` },
  }),
  'query api:': (value) => queried(`api:${value}`),
} as const satisfies Record<string, Way>;

/** What stands in a header as it is: visible ASCII, and nothing that ends a cookie or repeats a header. */
export const fitsHeader = (value: string) => /^[!#-+\--:<-[\]-~]+$/.test(value);

/** The outcome of a ping in two words: `200 <username>`, else the status and the code. */
export async function pingWith({ headers = {}, query }: Presented): Promise<string> {
  const path = query === undefined ? PING : `${PING}?${query}`;
  const { status, body, code } = await get(path, { headers });
  return `${status} ${status === 200 ? (body as unknown as { username: string }).username : code}`;
}

export const REFUSED = '401 unauthenticated';

/** The origin that pages of the service itself would have. */
export const ownOrigin = new URL(baseUrl).origin;

/** All that the service keeps of accounts, but whether and when they were last active. */
export async function stateOf(...users: readonly User[]) {
  const { table } = (await target()).runtime;
  const state = users.map(async ({ username }) => {
    const {
      lastActivity: _,
      never_used: _used,
      ...account
    } = (await read(table, accountKey(username))) as User['account'];
    return { account, tokens: await query(table, tokenNames(username)) };
  });
  return Promise.all(state);
}
