import assert from 'node:assert/strict';
import { client } from './hey-api/client.gen.ts';
import {
  accountBrowse,
  accountLogin,
  accountProfile,
  systemPingPut,
  tokenCreate,
  tokenListOwn,
} from './hey-api/index.ts';

const { BASE_URL: baseUrl = '', PASSWORD: password = '' } = process.env;

client.setConfig({ baseUrl });
const refused = await tokenListOwn();
assert(refused.error && 'data' in refused.error && refused.error.data.code === 'unauthenticated');

const login = await accountLogin({ body: { username: 'admin', password } });
assert(login.data);
const jwt: string = login.data.data.JWTtoken;
client.setConfig({ baseUrl, auth: () => jwt });

const directory = await accountBrowse({ query: { limit: 2 } });
assert(directory.data);
const { items, stats } = directory.data.data;
const count: number = stats.count;
assert(items.length === 2 && count > 2);
// No secret has gone into the URL.
assert.equal(directory.request?.url, `${baseUrl}/api/core/account/browse?limit=2`);

const profile = await accountProfile({ query: { pscope: ['user', 'teams'] } });
assert(profile.data?.data.teams);

const path = { token_name: 'hey-api', username: 'admin' };
const created = await tokenCreate({ path });
assert(created.data);
const secret: string = created.data.data.value;
assert(secret);

const again = await tokenCreate({ path });
assert(again.error && 'data' in again.error);
assert(again.error.data.code === 'token_exists');

const tokens = await tokenListOwn();
const hidden: null | undefined = tokens.data?.data.items[0]?.value;
assert.equal(hidden, null);
const ping = await systemPingPut({ body: { a: 1 } });
assert.deepEqual(ping.data?.body, { a: 1 });
