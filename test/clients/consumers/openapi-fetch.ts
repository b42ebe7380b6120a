import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { paths } from './schema.ts';

const { BASE_URL: baseUrl = '', PASSWORD: password = '' } = process.env;

const open = createClient<paths>({ baseUrl });
const login = await open.POST('/api/core/account/login', { body: { username: 'admin', password } });
assert(login.data);
const jwt: string = login.data.data.JWTtoken;

const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${jwt}` } });
const directory = await client.GET('/api/core/account/browse', { params: { query: { limit: 2 } } });
assert(directory.data);
const { items, stats, next_cursor } = directory.data.data;
const count: number = stats.count;
const [first] = items;
const username: string | undefined = first?.username;
const cursor: string | undefined = next_cursor;
assert(username && count > 2 && cursor);

const profile = await client.GET('/api/core/account/profile', {
  params: { query: { pscope: ['user', 'teams'] } },
});
assert(profile.data?.data.teams);

const path = { token_name: 'openapi-fetch', username: 'admin' };
const created = await client.POST('/api/core/token/create/{token_name}/{username}', { params: { path } });
assert(created.data);
const secret: string = created.data.data.value;

const again = await client.POST('/api/core/token/create/{token_name}/{username}', { params: { path } });
assert(again.error && 'data' in again.error);
const { code } = again.error.data;
assert(code === 'token_exists');
// @ts-expect-error this operation never answers it
const other: 'self_target' = again.error.data.code;
assert.equal(other, code);

const byToken = createClient<paths>({ baseUrl, headers: { authorization: `Token ${secret}` } });
const tokens = await byToken.GET('/api/core/token/user');
// openapi-fetch 0.17 drops a field that is always null from its types.
const [listed] = tokens.data?.data.items ?? [];
assert(listed && 'value' in listed && listed.value === null);
const ping = await byToken.PUT('/api/core/system/ping', { body: { a: 1 } });
assert.deepEqual(ping.data?.body, { a: 1 });

const refused = await open.GET('/api/core/token/user');
assert(refused.error && 'data' in refused.error && refused.error.data.code === 'unauthenticated');
