import { describe, expect, test } from 'vitest';
import { createTeam } from '#lib/account/team';
import { admin, type Call, createUser, get, post, target, uniqueName } from './service.ts';

const profile = '/api/core/account/profile';
const update = '/api/core/account/profile-update';

test('a profile has the parts that its pscope selects', async () => {
  const { data } = (await get(`${profile}?pscope=user,apps`, admin)).body;
  expect(Object.keys(data)).toEqual(['instance', 'user', 'apps']);
  const refused = await get(`${profile}?pscope=secrets`, admin);
  expect([refused.status, refused.body.data.errors[0].field]).toEqual([400, 'pscope']);
});

describe('an update', () => {
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
    const { data } = (await post(update, { jwt, json })).body;
    expect(data.user).toMatchObject({
      ...json,
      user_first_name: 'Ada',
      team_name: 'Team',
      user_properties: { root: {}, ...json.user_properties },
    });
    expect((await get(profile, { jwt })).body.data.user).toEqual(data.user);
    expect((await post(update, { jwt, json: {} })).body.data).toEqual(data);
  });

  test('names every field that is invalid, and changes nothing', async () => {
    const user = await createUser();
    const jwt = await user.logIn();
    const { user: before } = (await get(profile, { jwt })).body.data;
    const json = { phonenumber: '0', user_color: 'red', user_properties: { root: 'text' } };
    const { errors } = (await post(update, { jwt, json })).body.data;
    expect(errors.map(({ field }: { field: string }) => field)).toEqual([
      'user_color',
      'user_properties.root',
    ]);
    expect((await get(profile, { jwt })).body.data.user).toEqual(before);
  });

  test('keeps numbers of properties as they were written, and takes none for an object', async () => {
    const jwt = await (await createUser()).logIn();
    const headers = { 'content-type': 'application/json' };
    const send = (body: string) => post(update, { jwt, headers, body });
    const properties = '{"root":{"a":1e400,"b":12345678901234567890,"c":-0,"d":1.0}}';
    expect((await send(`{"user_properties":${properties}}`)).status).toBe(200);
    for (const number of ['1.0', '1e400', '12345678901234567890']) {
      const reply = await send(`{"user_properties":${number}}`);
      expect(reply.body.data.errors[0].field).toBe('user_properties');
      expect((await send(`{"user_properties":{"root":${number}}}`)).status).toBe(400);
    }
    expect((await send('1.0')).body.data.errors[0].field).toBe('body');
    expect((await get(profile, { jwt })).text).toContain(`"user_properties":${properties}`);
  });

  test('of another account needs the role, without which nobody learns whether it exists', async () => {
    const [user, other] = [await createUser(), await createUser()];
    const jwt = await user.logIn();
    const change = (username: string, as: Call = { jwt }, user_first_name: unknown = 'New') =>
      post(update, { ...as, json: { username, user_first_name } });
    expect((await change(other.username)).status).toBe(403);
    expect((await change(uniqueName('missing'))).status).toBe(403);
    expect((await change(other.username, { jwt }, 7)).status, 'the shape comes first').toBe(400);
    expect((await change(user.username.toUpperCase())).status).toBe(200);
    expect((await change(other.username, admin)).body.data.user.user_first_name).toBe('New');
    expect((await change(uniqueName('missing'), admin)).code).toBe('account_not_found');
  });
});

describe('the entity tag of a profile', () => {
  test('answers 304 to a client that has the profile', async () => {
    const jwt = await (await createUser()).logIn();
    const { headers } = await get(profile, { jwt });
    const etag = headers.get('etag') as string;
    const again = (path = profile) => get(path, { jwt, headers: { 'if-none-match': `"x", ${etag}` } });
    const unchanged = await again();
    expect([unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([304, '', etag]);
    expect(unchanged.headers.get('x-request-id')).toBeTruthy();
    expect((await again(`${profile}?pscope=user`)).status, 'other parts').toBe(200);
    await post(update, { jwt, json: { user_short: 'X' } });
    expect((await again()).status).toBe(200);
  });

  test('lets the first of several updates of a profile as it was read pass', async () => {
    const user = await createUser();
    const jwt = await user.logIn();
    const etag = (await get(profile, { jwt })).headers.get('etag') as string;
    const change = (tag: string, as: Call) =>
      post(update, {
        ...as,
        headers: { 'if-match': tag },
        json: { username: user.username, user_first_name: uniqueName() },
      });
    const replies = await Promise.all([{ jwt }, admin, admin].map((as) => change(etag, as)));
    expect(replies.map(({ code }) => code ?? 'updated').sort()).toEqual([
      'precondition_failed',
      'precondition_failed',
      'updated',
    ]);
    const next = replies.find(({ status }) => status === 200)?.headers.get('etag') as string;
    expect((await change(next, { jwt })).status).toBe(200);
  });
});
