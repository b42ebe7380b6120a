import NAUGHTY from 'big-list-of-naughty-strings/blns.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { admin, createUser, get, post } from './service.ts';

// Names: test/unit/account/profile/naughty-names.slow.test.ts. Previews: test/unit/system/xss-contexts.slow.test.ts.

test('ping echoes every naughty string as it was sent', async () => {
  const { body } = await post('/api/core/system/ping', { ...admin, json: { strings: NAUGHTY } });
  expect(body).toMatchObject({ body: { strings: NAUGHTY } });
});

test('properties keep every naughty string as it was sent', async () => {
  const { username } = await createUser();
  for (let from = 0; from < NAUGHTY.length; from += 100) {
    const root = { strings: NAUGHTY.slice(from, from + 100) };
    const json = { username, user_properties: { root } };
    expect((await post('/api/core/account/profile-update', { ...admin, json })).status).toBe(200);
    const { body } = await get(`/api/core/account/profile/${username}`, admin);
    expect(body.data.user.user_properties).toEqual({ root });
  }
});
