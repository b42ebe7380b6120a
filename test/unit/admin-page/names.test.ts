import { h } from 'preact';
import { expect, test, vi } from 'vitest';
import { NameOf, noteNamesOf } from '../../../infra/admin-page/accounts/names.tsx';
import { Me } from '../../../infra/admin-page/session.ts';
import { all, scriptFetch, settle, show } from './opened.ts';

// The client of the page sends nothing without a session.
vi.hoisted(() => {
  document.documentElement.dataset['session'] = '';
});

const profile = { user: { username: 'ada', user_first_name: 'Ada', user_last_name: 'Lovelace' } };
const asked = (roles: readonly string[], usernames: readonly string[]) =>
  show(
    h(Me.Provider, { value: { ...profile, roles } as never }, [
      usernames.map((username) => h(NameOf, { key: username, username })),
    ]),
  );
const accountOf = (username: string) => ({ username, user_first_name: 'Emma', user_last_name: 'Müller' });
const texts = () => all('bdi').map(({ textContent, title }) => [textContent, title]);

test('a person is called by name, which is requested once', async () => {
  const sent = scriptFetch({
    'account/browse': ({ query }) => ({ items: [accountOf(`${query['username']}`)], stats: {} }),
  });
  asked(['sys_administrator'], ['emma', 'emma', 'ada']);
  expect(texts()).toEqual([
    ['emma', 'emma'],
    ['emma', 'emma'],
    ['Ada Lovelace', 'ada'],
  ]);
  await settle();
  expect(texts()[0]).toEqual(['Emma Müller', 'emma']);
  expect(sent).toHaveLength(1);
});

test('an account that a list has loaded is not requested again', async () => {
  const sent = scriptFetch();
  noteNamesOf([accountOf('grace')] as never);
  asked(['sys_administrator'], ['grace']);
  await settle();
  expect([texts(), sent.length]).toEqual([[['Emma Müller', 'grace']], 0]);
});

test.each([
  ['a person without the role', [], 'emil'],
  ['an erased person', ['sys_administrator'], 'erased:0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'],
])('no name is requested by or for %s', async (_who, roles, username) => {
  const sent = scriptFetch();
  asked(roles, [username]);
  await settle();
  expect([texts(), sent.length]).toEqual([[[username, username]], 0]);
});
