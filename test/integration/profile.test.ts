import { describe, expect, test } from 'vitest';
import { addMemberships } from '#lib/account/memberships';
import { createTeam } from '#lib/account/team';
import { admin, administrator, type Call, createUser, get, post, target, uniqueName } from './service.ts';

const profile = '/api/core/account/profile';
const update = '/api/core/account/profile-update';

test('a fresh account has the values that nobody has given it', async () => {
  const user = await createUser({ username: uniqueName('zoe') });
  const { data } = (await get(profile, { jwt: await user.logIn() })).body;
  expect(data).toEqual({
    instance: {
      'kv.v.api.version': expect.stringMatching(/^\d+\.\d+\.\d+$/),
      'kv.v.api.url': expect.stringMatching(/^https?:/),
      'kv.v.owner.name': expect.any(String),
    },
    user: {
      username: user.username,
      emailconfirmed: false,
      phonenumber: '',
      team_id: '',
      team_name: '',
      user_app_name: 'core',
      user_first_name: '',
      user_last_name: '',
      user_home: null,
      isactive: true,
      islocked: false,
      user_color: expect.stringMatching(/^#[0-9A-F]{6}$/),
      user_short: 'ZO',
      user_currency: 'EUR',
      user_properties: { root: {} },
    },
    teams: [],
    roles: [],
    apps: ['core'],
  });
});

describe('pscope', () => {
  test.each([
    ['', ['instance', 'user', 'teams', 'roles', 'apps']],
    ['?pscope=user', ['user']],
    ['?pscope=teams,roles,apps', ['instance', 'user', 'teams', 'roles', 'apps']],
    ['?pscope=roles', ['instance', 'user', 'roles']],
    ['?pscope=instance', ['instance', 'user']],
    ['?pscope=user,apps', ['instance', 'user', 'apps']],
  ])('%s selects %j', async (query, parts) => {
    expect(Object.keys((await get(profile + query, admin)).body.data)).toEqual(parts);
  });

  test.each(['?pscope=', '?pscope=user,', '?pscope=secrets', '?pscope=USER'])(
    '%s is refused',
    async (query) => {
      const reply = await get(profile + query, admin);
      expect(reply.status).toBe(400);
      expect(reply.body.data.errors[0].field).toBe('pscope');
    },
  );
});

describe('profile-update', () => {
  test('changes what is sent and leaves the rest', async () => {
    const { runtime } = await target();
    const team = await createTeam(runtime, { short: uniqueName('t'), name: 'Team', type: 'internal' });
    const user = await createUser({ user_first_name: 'Ada', teams: [team.team_short] });
    const jwt = await user.logIn();
    const json = {
      phonenumber: '+43 1 234',
      user_last_name: 'Łovelace "quoted"',
      user_color: '#a1B2c3',
      user_short: 'ÀL',
      user_currency: 'CHF',
      team_id: team.team_id,
      user_properties: { theme: 'dark', deep: { n: [1, 1.5, -0.1e-300] } },
    };
    const reply = await post(update, { jwt, json });
    const expected = {
      ...json,
      user_first_name: 'Ada',
      team_name: 'Team',
      user_properties: { root: {}, ...json.user_properties },
    };
    expect(reply.body.data.user).toMatchObject(expected);
    expect((await get(profile, { jwt })).body.data.user).toEqual(reply.body.data.user);
    const empty = await post(update, { jwt, json: {} });
    expect(empty.body.data).toEqual(reply.body.data);
  });

  test('replaces the properties and always keeps a root', async () => {
    const user = await createUser();
    const jwt = await user.logIn();
    await post(update, { jwt, json: { user_properties: { a: 1, root: { x: [true, null] } } } });
    const reply = await post(update, { jwt, json: { user_properties: { b: 2 } } });
    expect(reply.body.data.user.user_properties).toEqual({ root: {}, b: 2 });
  });

  test.each<[string, object]>([
    ['phonenumber', { phonenumber: '1'.repeat(65) }],
    ['user_first_name', { user_first_name: 'x'.repeat(129) }],
    ['user_last_name', { user_last_name: 7 }],
    ['user_color', { user_color: 'red' }],
    ['user_color', { user_color: '#12345' }],
    ['user_currency', { user_currency: 'eur' }],
    ['user_short', { user_short: '123456789' }],
    ['team_id', { team_id: 'no-uuid' }],
    ['user_properties', { user_properties: [] }],
    ['user_properties', { user_properties: 5 }],
    ['user_properties', { user_properties: { big: 'x'.repeat(65 * 1024) } }],
    ['user_properties.root', { user_properties: { root: 'text' } }],
    ['username', { username: 'not a name' }],
  ])('names the field %s when it is invalid, and changes nothing', async (field, json) => {
    const user = await createUser();
    const jwt = await user.logIn();
    const before = (await get(profile, { jwt })).text.replace(/"requestID.*?"executed_at":"[^"]*"/, '');
    const reply = await post(update, { jwt, json: { phonenumber: '0', ...json } });
    expect(reply.status).toBe(400);
    expect(reply.body.data.errors.map((error: { field: string }) => error.field)).toContain(field);
    expect((await get(profile, { jwt })).text.replace(/"requestID.*?"executed_at":"[^"]*"/, '')).toBe(before);
  });

  test('keeps numbers as they were written, and takes none for an object', async () => {
    const user = await createUser();
    const send = async (properties: string) =>
      post(update, {
        jwt,
        headers: { 'content-type': 'application/json' },
        body: `{"user_properties":${properties}}`,
      });
    const jwt = await user.logIn();
    const properties = '{"root":{"a":1e400,"b":12345678901234567890,"c":-0,"d":1.0}}';
    expect((await send(properties)).status).toBe(200);
    expect((await get(profile, { jwt })).text).toContain(`"user_properties":${properties}`);
    for (const number of ['1.0', '1e400', '12345678901234567890']) {
      const reply = await send(number);
      expect(reply.status).toBe(400);
      expect(reply.body.data.errors[0].field).toBe('user_properties');
      expect((await send(`{"root":${number}}`)).status).toBe(400);
    }
    const whole = await post(update, { jwt, headers: { 'content-type': 'application/json' }, body: '1.0' });
    expect(whole.body.data.errors[0].field).toBe('body');
    expect((await get(profile, { jwt })).text).toContain(`"user_properties":${properties}`);
  });

  test('refuses a team the account is not in', async () => {
    const json = { team_id: '0190a6e0-0000-7000-8000-000000000000' };
    expect((await post(update, { ...admin, json })).code).toBe('team_not_member');
  });

  test('reaches another account as an administrator only, who alone learns whether it exists', async () => {
    const [user, other] = [await createUser(), await createUser()];
    const jwt = await user.logIn();
    const json = { username: other.username, user_first_name: 'New' };
    expect((await post(update, { jwt, json })).status).toBe(403);
    expect((await post(update, { jwt, json: { ...json, username: uniqueName('missing') } })).status).toBe(
      403,
    );
    expect(
      (await post(update, { jwt, json: { ...json, user_color: 'x' } })).status,
      'the shape comes first',
    ).toBe(400);
    expect(
      (await post(update, { jwt, json: { ...json, username: user.username.toUpperCase() } })).status,
    ).toBe(200);
    expect((await post(update, { ...admin, json })).body.data.user).toMatchObject({ user_first_name: 'New' });
    expect((await post(update, { ...admin, json: { username: uniqueName('missing') } })).code).toBe(
      'account_not_found',
    );
  });
});

describe('the entity tag of a profile', () => {
  test('spares who has it the profile, until anything of it changes', async () => {
    const user = await createUser();
    const jwt = await user.logIn();
    const first = await get(profile, { jwt });
    const etag = first.headers.get('etag') as string;
    const again = (path = profile) => get(path, { jwt, headers: { 'if-none-match': `"x", ${etag}` } });
    const unchanged = await again();
    expect([unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([304, '', etag]);
    expect(unchanged.headers.get('x-request-id')).toBeTruthy();
    expect((await again(`${profile}?pscope=user`)).status, 'other parts').toBe(200);
    await addMemberships((await target()).runtime.table, user.account, { roles: ['r'], apps: [], teams: [] });
    expect((await again()).body.data.roles).toEqual(['r']);
  });

  test('of several updates of a profile as it was read lets the first pass', async () => {
    const user = await createUser();
    const jwt = await user.logIn();
    const etag = (await get(profile, { jwt })).headers.get('etag') as string;
    const change = (headers: Record<string, string>, as: Call = { jwt }) =>
      post(update, { ...as, headers, json: { username: user.username, user_first_name: uniqueName() } });
    const replies = await Promise.all(
      [...Array(3)].map((_, n) => change({ 'if-match': etag }, n ? admin : { jwt })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    expect(replies.find(({ status }) => status === 412)?.code).toBe('precondition_failed');
    const next = replies.find(({ status }) => status === 200)?.headers.get('etag') as string;
    expect((await change({ 'if-match': next })).status).toBe(200);
    expect((await change({})).status, 'without a condition').toBe(200);
  });
});

test('a profile says whether its account is locked or cancelled', async () => {
  const user = await createUser();
  const state = async () => (await get(`${profile}/${user.username}`, admin)).body.data.user;
  await administrator.account.lock({ username: user.username });
  expect(await state()).toMatchObject({ isactive: true, islocked: true });
  await administrator.account.cancel({ username: user.username });
  await administrator.account.unlock({ username: user.username });
  expect(await state()).toMatchObject({ isactive: false, islocked: false });
});
