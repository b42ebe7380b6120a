import { expect, test } from 'vitest';
import { CoreAccountError } from '#lib/client/index';
import { administrator, checkedFetch, clientOf, createUser, noted, uniqueName } from './service.ts';

// Rules: test/unit/client. This shows that the client and the service agree.
test('the client logs in again when its session has ended', async () => {
  const user = await createUser();
  const logins: string[] = [];
  const { account, token } = clientOf(user, {
    fetch: (input, init) => {
      if (String(input).endsWith('/login')) logins.push(String(input));
      return checkedFetch(input, init);
    },
  });
  await Promise.all([account.profile(), token.listOwn()]);
  await clientOf(user).account.logout();
  await Promise.all([account.profile(), token.listOwn()]);
  expect(logins).toHaveLength(2);
});

test('the client creates, presents and deletes tokens, and updates what it has read', async () => {
  const user = await createUser({ roles: ['sys_tokens'] });
  const { account, system, token } = clientOf(user);
  const { value } = await token.createLoginToken();
  const presenting = clientOf({ token: noted(value) });
  expect(await presenting.system.ping({ success: true, data: 1 })).toMatchObject({ username: user.username });
  const [{ name } = { name: '' }] = (await token.listOwn()).items;
  await token.delete({ token_name: name, username: user.username });
  await expect(presenting.account.profile()).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(await system.preview({ painput: '# Hello' })).toEqual({ html: '<h1>Hello</h1>\n' });
  expect(await system.uuids({ n: 3 })).toHaveLength(3);

  let ifMatch: string | undefined;
  const onHeaders = (headers: Headers) => {
    ifMatch = headers.get('etag') ?? undefined;
  };
  await account.profile({ pscope: ['user', 'roles'] }, { onHeaders });
  await account.profileUpdate({ user_short: 'ÄÖ' }, { ifMatch });
  const late = account.profileUpdate({ user_short: 'B' }, { ifMatch });
  await expect(late).rejects.toMatchObject({ code: 'precondition_failed', status: 412 });
});

test('the client lists every account that meets a filter, page by page', async () => {
  const role = uniqueName('role');
  const users = await Promise.all(Array.from({ length: 5 }, () => createUser({ roles: [role] })));
  const found: string[] = [];
  for await (const { username } of administrator.account.browse({ role, limit: 2 })) found.push(username);
  expect(found).toEqual(users.map(({ username }) => username).sort());
});

test('the client throws the errors of the service and of the gateway', async () => {
  const { account } = administrator;
  const refused = await account.lock({ username: uniqueName('missing') }).catch((error) => error);
  expect(refused).toBeInstanceOf(CoreAccountError);
  const requestId = expect.stringMatching(/\S/);
  expect(refused).toMatchObject({ code: 'account_not_found', status: 404, requestId });
  await expect(account.lock({ username: '%2F/' })).rejects.toMatchObject({ code: 'not_found', status: 404 });
});
