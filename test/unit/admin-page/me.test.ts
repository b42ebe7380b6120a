import { expect, onTestFinished, test, vi } from 'vitest';
import { all, dialogs, field, fill, openPage, perform, press, settle, texts } from './opened.ts';

const USER = {
  username: 'bob',
  user_first_name: 'Bob',
  user_last_name: 'B',
  team_id: 't-1',
  user_app_name: 'till',
};

/** Opens the page of a person with these roles. */
async function openOwn(address: string, roles: readonly string[] = ['clerk']) {
  const state = { user: USER };
  const page = await openPage({
    address,
    answers: {
      'account/profile-update': () => undefined,
      'account/profile': () => ({
        user: state.user,
        roles,
        apps: ['till'],
        teams: [{ team_id: 't-1', team_short: 'ops' }],
      }),
      'account/sessions': ({ method }) =>
        method === 'GET' ? { items: [{ id: 's-1', address: '192.0.2.1' }] } : undefined,
      'token/user': () => ({ items: [] }),
    },
  });
  await settle();
  return { ...page, state };
}

test('a person without the role sees the own profile, sessions and tokens, and requests nothing else', async () => {
  const { sent } = await openOwn('#me');
  expect([texts('h1'), texts('.heading p')]).toEqual([['Your account'], ['Bob B · bob']]);
  expect(texts('.chip')).toEqual(['clerk', 'ops', 'till']);
  for (const part of ['Password', 'Sessions', 'API tokens']) await press(part);
  expect(new Set(sent.map(({ path }) => path))).toEqual(
    new Set(['account/profile', 'account/sessions/bob', 'token/user']),
  );
});

test.each([
  ['', 0],
  ['#me', 0],
  ['#teams', 1],
  ['#account?username=ada', 1],
])(
  'the address %j tells a person without the role when it is for administrators, and requests nothing of theirs',
  async (address, notes) => {
    const { sent } = await openOwn(address);
    expect(new Set(sent.map(({ path }) => path))).toEqual(new Set(['account/profile']));
    expect(all('p.card', 'That address is for administrators. This is your own account.')).toHaveLength(
      notes,
    );
  },
);

test('links of the own account lead to its address from any other', async () => {
  await openOwn('#teams');
  await press('Sessions');
  expect(location.hash).toBe('#me?part=sessions');
});

test('a changed name is in the header at once', async () => {
  const { of, state } = await openOwn('#me');
  await press('Edit First name');
  await fill({ 'First name': 'Bo' });
  await press('Save');
  const [update] = of('account/profile-update');
  expect(update?.body).toEqual({ username: 'bob', user_first_name: 'Bo' });
  state.user = { ...USER, user_first_name: 'Bo' };
  update?.answer({});
  await settle();
  expect([texts('.heading p'), texts('dd .edit bdi')[0]]).toEqual([['Bo B · bob'], 'Bo']);
  await press('Your account');
  expect(texts('.who strong')).toEqual(['Bo B']);
});

test('a field stays open with its draft at another part and after a reload, until Discard', async () => {
  await openOwn('#me');
  await press('Edit First name');
  await fill({ 'First name': 'Bo' });
  await press('Passkeys');
  await press('Profile');
  expect(field('First name').value).toBe('Bo');
  await openOwn('#me');
  expect([field('First name').value, document.activeElement?.tagName]).toEqual(['Bo', 'H1']);
  await press('Discard');
  expect(field('First name').value).toBe('Bob');
  await openOwn('#me');
  expect(all('dd input')).toEqual([]);
});

test('a folded field with a draft is unfolded', async () => {
  await openOwn('#me');
  await press('Edit Currency');
  await fill({ Currency: 'CHF' });
  await openOwn('#me');
  expect([field('Currency').value, all('details[open]').length]).toEqual(['CHF', 1]);
});

test('an own session is ended by its ID', async () => {
  const { of } = await openOwn('#me?part=sessions');
  await perform('End session');
  expect(of('account/sessions/end').map(({ path }) => path)).toEqual(['account/sessions/end/s-1/bob']);
});

const HERE = '0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
const THERE = '0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c';

const SESSIONS = {
  'account/profile': () => ({ user: USER, roles: ['clerk'], apps: [], teams: [] }),
  'account/sessions': ({ method }: { method: string }) =>
    method === 'GET'
      ? { items: [THERE, HERE].map((id) => ({ id, address: '192.0.2.1', user_agent: id })) }
      : undefined,
};

/** The sessions that are marked. */
const marked = () => all('tbody tr').map((row) => row.textContent?.includes('this browser'));

test('the session of this browser is marked, and its end says that one is logged out', async () => {
  await openPage({ address: '#me?part=sessions', session: HERE, answers: SESSIONS });
  await settle();
  expect(marked()).toEqual([false, true]);
  const asked = [];
  for (const button of all('tbody button', 'End session')) {
    button.click();
    await settle();
    asked.push(texts('dialog p').join().includes('You will be logged out'));
    await press('Back');
  }
  expect(asked).toEqual([false, true]);
});

test('without the ID of the session, none is marked', async () => {
  await openPage({ address: '#me?part=sessions', answers: SESSIONS });
  await settle();
  expect(marked()).toEqual([false, false]);
});

test('after a login the new session is marked', async () => {
  const { of } = await openPage({ address: '#me?part=sessions', hasSession: false, answers: SESSIONS });
  await fill({ Username: 'bob', Password: 'correct horse' });
  await press('Log in');
  of('account/login')[0]?.answer({ JWTtoken: `e30.${btoa(JSON.stringify({ jti: THERE }))}.sig` });
  await settle();
  expect(marked()).toEqual([true, false]);
});

test.each([
  [['clerk'], [], 1],
  [['sys_tokens'], ['token/own/ci'], 0],
  [['sys_administrator'], ['token/create/ci/bob'], 0],
])('with the roles %j, own tokens are created at %j', async (roles, paths, notes) => {
  const { of } = await openOwn('#me?part=tokens', roles);
  expect(
    texts('p.card').filter((text) => text?.includes('ask an administrator for the role “Own API tokens”')),
  ).toHaveLength(notes);
  expect(all('section button', 'Create token')).toHaveLength(paths.length);
  if (paths.length > 0) await perform('Create token', { Name: 'ci', Access: 'full' });
  expect(of('token/').flatMap(({ method, path }) => (method === 'POST' ? [path] : []))).toEqual(paths);
});

test('a token is limited to roles of the account, which a person without the role sees as a list', async () => {
  const { of } = await openOwn('#me?part=tokens', ['clerk', 'sys_tokens']);
  await press('Create token');
  await fill({ Name: 'ci', Roles: 'some' });
  await fill({ 'These roles': '' });
  expect(texts('[role=option] bdi')).toEqual(['clerk', 'Own API tokens']);
  expect(of('account/browse')).toEqual([]);
});

test('a token of an account without roles has no field for them', async () => {
  await openPage({
    address: '#account?username=bob&part=tokens',
    answers: {
      'account/browse': () => ({ items: [{ ...USER, isactive: true }] }),
      'account/profile': ({ path }) =>
        path === 'account/profile'
          ? { user: { username: 'ada' }, roles: ['sys_administrator'] }
          : { user: USER, roles: [], apps: [], teams: [] },
      'token/user': () => ({ items: [] }),
    },
  });
  await press('Create token');
  expect(texts('dialog label')).toEqual(['Name', 'Description', 'Ends', 'Access', 'Addresses']);
});

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge on Windows',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'Safari on macOS',
  ],
  ['ChromeDriver/140 Linux', 'ChromeDriver/140 Linux'],
  [null, 'unknown'],
])('the program of a session with the user agent %j is %j', async (agent, program) => {
  const { programOf } = await import('../../../infra/admin-page/accounts/sessions.tsx');
  expect(programOf(agent)).toBe(program);
});

test('a session shows its program in words, what it says of itself, and its credential', async () => {
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';
  const items = [null, 'passkey:phone', 'trust:deploy', 'ci'].map((credential, index) => ({
    id: `${index}`,
    address: '192.0.2.1',
    user_agent: index === 0 ? agent : 'curl/8',
    credential,
  }));
  await openPage({
    address: '#me?part=sessions',
    answers: { ...SESSIONS, 'account/sessions': () => ({ items }) },
  });
  await settle();
  expect([texts('td summary, th summary'), texts('td details > bdi, th details > bdi')]).toEqual([
    ['Firefox on Linux'],
    [agent],
  ]);
  expect(texts('[data-label="Opened with"]')).toEqual([
    'Password',
    'Passkey phone',
    'Trust deploy',
    'API token ci',
  ]);
});

test('the end of the session of this browser empties the page', async () => {
  const { of } = await openPage({
    address: '#me?part=sessions',
    session: HERE,
    answers: { 'account/sessions/end': () => ({}), ...SESSIONS },
  });
  const replace = vi.spyOn(location, 'replace').mockReturnValue();
  await settle();
  all('tbody button', 'End session')[1]?.click();
  await settle();
  expect(dialogs()).toEqual(['End the session of this browser? 192.0.2.1']);
  await press('End session');
  expect(replace.mock.calls).toEqual([['/api/core/admin']]);
  expect(of('account/sessions').filter(({ method }) => method === 'GET')).toHaveLength(1);
  replace.mockRestore();
});

/** Opens a part of the own account in German. */
const openGerman = (address: string, answers = {}) =>
  openPage({
    address,
    language: 'de',
    answers: {
      'account/profile': () => ({ user: USER, roles: ['clerk'], apps: [], teams: [] }),
      'account/sessions': () => ({
        items: [{ id: HERE, address: '192.0.2.1', user_agent: null, credential: null }],
      }),
      'account/passkeys': () => ({ items: [] }),
      'token/user': () => ({ items: [] }),
      ...answers,
    },
  });

test.each([
  ['#me', ['Zugriff'], 'Ein Administrator kann Ihre Rollen, Teams und Anwendungen ändern.'],
  ['#me?part=password', ['Passwort ändern'], 'Alle Ihre anderen Sitzungen enden. API-Tokens bleiben gültig.'],
  ['#me?part=sessions', ['Sitzungen', 'Überall abmelden', 'Sitzung beenden'], 'Geöffnet mit'],
  ['#me?part=passkeys', ['Passkeys'], 'Noch kein Passkey.'],
  ['#me?part=tokens', [], 'bitten Sie einen Administrator um die Rolle „Eigene API-Tokens“'],
])('the own account at %s is in German', async (address, titles, text) => {
  await openGerman(address);
  await settle();
  expect(texts('h1')).toEqual(['Ihr Konto']);
  expect(texts('h2, main button')).toEqual(expect.arrayContaining(titles));
  expect(document.querySelector('main')?.textContent).toContain(text);
});

test('a person without a session finds the login in German, with the name and the logo of the owner', async () => {
  const { dataset } = document.documentElement;
  Object.assign(dataset, { owner: 'Muster GmbH', logo: 'data:image/png;base64,AA' });
  onTestFinished(() => {
    delete dataset['owner'];
    delete dataset['logo'];
  });
  await openPage({ hasSession: false, language: 'de' });
  expect([texts('.owner'), texts('h1'), texts('label'), texts('[type=submit]')]).toEqual([
    ['Muster GmbH'],
    ['Anmelden'],
    ['Benutzername', 'Passwort'],
    ['Anmelden'],
  ]);
  expect(document.querySelector<HTMLImageElement>('.owner img')?.src).toBe('data:image/png;base64,AA');
  await press('Einmalcode benutzen');
  expect([texts('h1'), texts('label')]).toEqual([
    ['Passwort festlegen'],
    ['Benutzername', 'Einmalcode', 'Neues Passwort'],
  ]);
});
