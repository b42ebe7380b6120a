import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { openCuttingProxy } from '../wire/cutting-proxy.ts';
import { administrator, baseUrl, checkedFetch, clientOf, createUser, noted, uniqueName } from './service.ts';

describe('a session', () => {
  const logins = () => {
    const paths: string[] = [];
    const counting: typeof fetch = (input, init) => {
      if (String(input).endsWith('/login')) paths.push(String(input));
      return checkedFetch(input, init);
    };
    return { paths, counting };
  };

  test('is made once for requests side by side, and anew once it has ended', async () => {
    const user = await createUser();
    const { paths, counting } = logins();
    const { account, token } = clientOf(user, { fetch: counting });
    await Promise.all([account.profile(), token.listOwn(), account.profile()]);
    expect(paths).toHaveLength(1);
    await clientOf(user).account.logout();
    await Promise.all([account.profile(), token.listOwn(), account.profile()]);
    expect(paths).toHaveLength(2);
    await administrator.account.lock({ username: user.username });
    await expect(account.profile()).rejects.toMatchObject({ code: 'invalid_credentials' });
    await administrator.account.unlock({ username: user.username });
    await expect(account.profile()).resolves.toMatchObject({ user: { username: user.username } });
    expect(paths).toHaveLength(4);
  });

  test('is made of an API token too, which logs in as `api`', async () => {
    const user = await createUser();
    const own = clientOf({ username: 'api', password: await user.token() });
    await expect(own.account.profile()).resolves.toMatchObject({ user: { username: user.username } });
  });
});

test('browse goes through all accounts that meet its filter, in pages of whatever size', async () => {
  const role = uniqueName('role');
  const users = await Promise.all(Array.from({ length: 5 }, () => createUser({ roles: [role] })));
  const found: string[] = [];
  for await (const { username } of administrator.account.browse({ role, limit: 2 })) found.push(username);
  expect(found).toEqual(users.map(({ username }) => username).sort());
  const pages: number[] = [];
  for await (const { items, stats } of administrator.account.browse({ role, limit: 2 }).pages()) {
    pages.push(items.length);
    expect(stats.count).toBeGreaterThanOrEqual(5);
  }
  expect(pages.length).toBeGreaterThan(2);
  expect(Math.max(...pages)).toBe(2);
});

test('browse goes through all tokens', async () => {
  const [one, other] = [await createUser(), await createUser()];
  for (const user of [one, one, other]) await user.token();
  const owners: string[] = [];
  for await (const { username } of administrator.token.browse({ limit: 2 })) owners.push(username);
  expect(owners.filter((name) => name === one.username)).toHaveLength(2);
  expect(owners.filter((name) => name === other.username)).toHaveLength(1);
});

describe('a connection that is cut once the service has answered', () => {
  const cut = async () => {
    const proxy = await openCuttingProxy(baseUrl);
    onTestFinished(proxy.close);
    return proxy;
  };

  test('makes no second token: the same secret is answered again', async () => {
    const { username } = await createUser();
    const { url, answered } = await cut();
    const { token } = clientOf({ token: inject('adminToken') }, { url });
    const made = await token.create({ token_name: 'once', username });
    noted(made.value);
    expect(answered.map((text) => JSON.parse(text).data)).toEqual([made, made]);
    expect((await administrator.token.listUser({ username })).items).toHaveLength(1);
  });

  test('deletes no second time, and says that nobody knows', async () => {
    const user = await createUser();
    const own = await user.token('own');
    const { url, answered } = await cut();
    const { token } = clientOf({ token: own }, { url });
    await expect(token.delete({ token_name: 'own', username: user.username })).rejects.toMatchObject({
      code: 'network_error',
      status: 0,
    });
    expect(answered).toHaveLength(1);
    expect((await administrator.token.listUser({ username: user.username })).items).toEqual([]);
  });
});

test('an update is refused where somebody has changed the user since', async () => {
  const user = await createUser();
  const { account } = clientOf(user);
  let ifMatch: string | undefined;
  await account.profile(
    {},
    {
      onHeaders: (headers) => {
        ifMatch = headers.get('etag') ?? undefined;
      },
    },
  );
  expect(ifMatch).toMatch(/^"/);
  await account.profileUpdate({ user_short: 'A' }, { ifMatch });
  await expect(account.profileUpdate({ user_short: 'B' }, { ifMatch })).rejects.toMatchObject({
    code: 'precondition_failed',
    status: 412,
  });
});
