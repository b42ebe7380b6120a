import { expect, test } from 'vitest';
import { admin, createUser, get, noted, post, type User } from './service.ts';

const roles = ['sys_administrator'];
const POST_CODE = '/api/core/account/code';

/** A code that the holder of a session makes for an account. */
async function codeBy(jwt: string, { username }: User): Promise<string> {
  const { body } = await post(`${POST_CODE}/${username}`, { jwt, json: { hours: 72 } });
  return noted(String(body.data.code));
}

/** The status of an attempt to take over an account by a code. */
async function takeOver({ username }: User, code: string): Promise<number> {
  const json = { username, code, new_password: noted('a password of the thief') };
  return (await post('/api/core/account/password', { json })).status;
}

const shownCode = async ({ username }: User) => {
  const { body } = await get(`/api/core/account/profile/${username}`, admin);
  const { code_created_by, code_created_at } = body.data.user;
  return { code_created_by, isOpen: code_created_at !== null };
};

test('a code that a thief made for the stolen account dies when the owner logs out', async () => {
  const ada = await createUser({ roles });
  const stolen = await ada.logIn();
  const code = await codeBy(stolen, ada);
  expect(await shownCode(ada)).toEqual({ code_created_by: ada.username, isOpen: true });
  expect((await get('/api/core/account/logout', { jwt: await ada.logIn() })).status).toBe(200);
  expect(await shownCode(ada)).toEqual({ code_created_by: null, isOpen: false });
  expect(await takeOver(ada, code)).toBe(401);
});

test('a demoted and cancelled administrator cannot return by a code for a colleague', async () => {
  const [mallory, colleague] = [await createUser({ roles }), await createUser({ roles })];
  const code = await codeBy(await mallory.logIn(), colleague);
  const json = { remove: { roles } };
  expect((await post(`/api/core/account/access/${mallory.username}`, { ...admin, json })).status).toBe(200);
  expect((await post(`/api/core/account/cancel/${mallory.username}`, admin)).status).toBe(200);
  expect(await takeOver(colleague, code)).toBe(401);
});

test('a thief’s code for a colleague dies with a new password with end_codes', async () => {
  const [ada, colleague] = [await createUser({ roles }), await createUser()];
  const code = await codeBy(await ada.logIn(), colleague);
  const json = {
    current_password: noted(ada.password),
    new_password: noted('another password of hers'),
    end_codes: true,
  };
  expect((await post('/api/core/account/password', { jwt: await ada.logIn(), json })).status).toBe(200);
  expect(await takeOver(colleague, code)).toBe(401);
});
