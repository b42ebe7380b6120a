import { accountKey, tokenNames } from '#lib/table/keys';
import { query, get as read } from '#lib/table/read';
import { get, target, type User } from '../service.ts';

export const PING = '/api/core/system/ping';

/** What a way adds to a request. */
export interface Presented {
  readonly headers?: Record<string, string>;
  readonly query?: string;
}

const queried = (value: string): Presented => ({ query: `ptoken=${encodeURIComponent(value)}` });
const authorized = (authorization: string): Presented => ({ headers: { authorization } });

/** The ways to present a session token (RFC 6750 section 2, RFC 6265). */
export const sessionWays = (jwt: string): readonly Presented[] => [
  authorized(`Bearer ${jwt}`),
  { headers: { cookie: `ptoken=${jwt}` } },
  queried(jwt),
];

/** The ways to present an API token (RFC 7617 for Basic). */
export const tokenWays = (token: string): readonly Presented[] => [
  authorized(`Token ${token}`),
  authorized(`Basic ${Buffer.from(`api:${token}`).toString('base64')}`),
  queried(`api:${token}`),
];

/** The outcome of a ping in two words: `200 <username>`, else the status and the code. */
export async function pingWith({ headers = {}, query }: Presented): Promise<string> {
  const path = query === undefined ? PING : `${PING}?${query}`;
  const { status, body, code } = await get(path, { headers });
  return `${status} ${status === 200 ? (body as unknown as { username: string }).username : code}`;
}

/** The outcomes of a ping in each of these ways, each outcome once. */
export const outcomesOf = async (ways: readonly Presented[]) => [
  ...new Set(await Promise.all(ways.map(pingWith))),
];

export const REFUSED = '401 unauthenticated';

/** All that the service keeps of accounts, except for whether and when they were last active. */
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
