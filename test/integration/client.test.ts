import { expect, test } from 'vitest';
import { CoreAccountError } from '#lib/client/index';
import { administrator, clientOf, createUser, uniqueName } from './service.ts';

// Rules: test/unit/client. This shows that the client and the service agree.
test('the client logs in, and updates only what it has read', async () => {
  const { account } = clientOf(await createUser());
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
