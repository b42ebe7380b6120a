import { expect, test } from 'vitest';
import { createUser, get, post } from './service.ts';

const profile = '/api/core/account/profile';
const update = '/api/core/account/profile-update';

test('profile-update keeps numbers of properties as they were written', async () => {
  const jwt = await (await createUser()).logIn();
  const headers = { 'content-type': 'application/json' };
  const send = (body: string) => post(update, { jwt, headers, body });
  const properties = '{"root":{"a":1e400,"b":12345678901234567890,"c":-0,"d":1.0}}';
  expect((await send(`{"user_properties":${properties}}`)).status).toBe(200);
  expect((await send('{"user_properties":1.0}')).body.data.errors[0].field).toBe('user_properties');
  expect((await send('1.0')).body.data.errors[0].field).toBe('body');
  expect((await get(profile, { jwt })).text).toContain(`"user_properties":${properties}`);
});
