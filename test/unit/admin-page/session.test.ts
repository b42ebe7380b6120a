import { expect, test, vi } from 'vitest';
import { draftOf, keepDraft } from '../../../infra/admin-page/drafts.ts';
import { all, dialogs, field, fill, openPage, perform, press, type Sent, settle, texts } from './opened.ts';

const ENDED = 'Your session has ended';
const ACCOUNT = '#account?username=bob';

const end = (requests: readonly Sent[]) => requests.map(({ refuse }) => refuse(401, 'unauthenticated'));

/** Opens an account, whose requests wait. */
async function openAccount() {
  const page = await openPage({ address: ACCOUNT });
  const waiting = page.sent.filter(({ path }) => path !== 'account/profile');
  return { ...page, waiting };
}

const keyOf = ({ method, path, query }: Sent) => `${method} ${path} ${JSON.stringify(query)}`;

async function logInAgain(of: (path: string) => readonly Sent[]) {
  await fill({ Password: 'correct horse' });
  await press('Log in');
  of('account/login').at(-1)?.answer({});
  await settle();
}

test('the page asks for one login when several requests find that the session has ended', async () => {
  const { sent, of, waiting } = await openAccount();
  expect(waiting.length).toBeGreaterThan(1);
  end(waiting);
  await settle();
  expect(dialogs()).toEqual([ENDED]);
  const before = sent.length;
  await logInAgain(of);
  expect(dialogs()).toEqual([]);
  expect(of('account/login').map(({ body }) => body)).toEqual([
    { username: 'ada', password: 'correct horse', createCookie: true },
  ]);
  const repeated = sent.slice(before).filter(({ path }) => path !== 'account/login');
  expect(repeated.map(keyOf).sort()).toEqual(waiting.map(keyOf).sort());
});

test('a request sends nothing when the session has ended, until the login', async () => {
  const { sent, waiting } = await openAccount();
  end(waiting);
  await settle();
  const before = sent.length;
  await press('Teams');
  expect(sent).toHaveLength(before);
});

test('a late refusal of the earlier session repeats its request in the new session, without another login', async () => {
  const { of, waiting } = await openAccount();
  const [first, ...late] = waiting as [Sent, ...Sent[]];
  end([first]);
  await settle();
  await logInAgain(of);
  end(late);
  await settle();
  expect(dialogs()).toEqual([]);
  for (const each of late)
    expect(
      of(each.path)
        .map(keyOf)
        .filter((key) => key === keyOf(each)),
    ).toHaveLength(2);
});

test('the page asks for a login again when the new session has ended, too', async () => {
  const { sent, of, waiting } = await openAccount();
  end(waiting);
  await settle();
  await logInAgain(of);
  const second = sent.slice(-waiting.length);
  end(second);
  await settle();
  expect(dialogs()).toEqual([ENDED]);
});

test('a request is not repeated when its screen was left before the login', async () => {
  const { of, waiting } = await openAccount();
  end(waiting);
  await settle();
  await press('Teams');
  await logInAgain(of);
  expect(of('account/browse')).toHaveLength(1);
  expect(of('team/browse')).toHaveLength(1);
});

test('an action is repeated with its input after the login, and reports its answer', async () => {
  const { of } = await openPage({ address: '#teams', answers: { 'team/browse': () => ({ items: [] }) } });
  await perform('Create team', { 'Short name': 'ops', Name: 'Operations', Type: 'department' });
  end(of('team/create'));
  await settle();
  expect(dialogs()).toEqual(['Create team', ENDED]);
  await logInAgain(of);
  const [one, two] = of('team/create') as [Sent, Sent];
  expect(two.body).toEqual(one.body);
  two.answer({}, 'Team Created');
  await settle();
  expect(of('team/create')).toHaveLength(2);
  expect(dialogs()).toEqual([]);
  expect(texts('.notice span')).toEqual(['The team Operations is created. Add its people.']);
});

test('only the same person continues an ended session, and another person starts with an empty page', async () => {
  const { sent, waiting } = await openAccount();
  const replace = vi.spyOn(location, 'replace').mockReturnValue();
  end(waiting);
  await settle();
  expect([field('Username').readOnly, field('Username').value]).toEqual([true, 'ada']);
  const before = sent.length;
  await press('Leave, and log in as another person');
  expect(replace.mock.calls).toEqual([['/api/core/admin']]);
  expect(sent).toHaveLength(before);
});

test('a page without a session sends nothing before the login', async () => {
  const { sent, of } = await openPage({ hasSession: false });
  expect([sent, texts('h1')]).toEqual([[], ['Log in']]);
  await fill({ Username: 'ada', Password: 'correct horse' });
  await press('Log in');
  expect(sent.map(({ path }) => path)).toEqual(['account/login']);
  of('account/login')[0]?.answer({});
  await settle();
  expect(
    sent
      .map(({ path }) => path)
      .slice(1)
      .sort(),
  ).toEqual(['account/browse', 'account/profile']);
  expect(texts('h1')).toEqual(['People']);
});

test('the page requests only the profile until it knows the person and the roles, also in a new session', async () => {
  const { of, sent } = await openPage({
    address: '#teams',
    answers: { 'account/profile': () => undefined },
  });
  expect([sent.map(({ path }) => path), texts('nav a')]).toEqual([['account/profile'], []]);
  end(sent);
  await settle();
  expect(texts('h1')).toEqual(['Log in']);
  await fill({ Username: 'eve', Password: 'correct horse' });
  await press('Log in');
  of('account/login')[0]?.answer({});
  await settle();
  expect(sent.map(({ path }) => path)).toEqual(['account/profile', 'account/login', 'account/profile']);
  sent[2]?.answer({ user: { username: 'eve' }, roles: ['sys_administrator'] });
  await settle();
  expect(sent.slice(3).map(({ path }) => path)).toEqual(['team/browse']);
});

test('a refusal by a gateway is an error, not the end of the session', async () => {
  const { of } = await openPage({ address: '#teams' });
  of('team/browse')[0]?.refuse(401);
  await settle();
  expect(dialogs()).toEqual([]);
  expect(all('[role=alert]')).toHaveLength(1);
});

test('a wrong password keeps the session closed', async () => {
  const { of, sent, waiting } = await openAccount();
  end(waiting);
  await settle();
  await fill({ Password: 'wrong' });
  await press('Log in');
  const before = sent.length;
  of('account/login')[0]?.refuse(401, 'invalid_credentials');
  await settle();
  expect(dialogs()).toEqual([ENDED]);
  expect(texts('dialog [role=alert] div')).toEqual(['The username or password is not valid.']);
  expect([field('Password').value, sent.length]).toEqual(['wrong', before]);
});

test('the own roles are read again after a refusal for a missing role, and the other screens disappear', async () => {
  let roles = ['sys_administrator'];
  const { of } = await openPage({
    address: '#teams',
    answers: { 'account/profile': () => ({ user: { username: 'ada' }, roles, teams: [], apps: [] }) },
  });
  roles = [];
  of('team/browse')[0]?.refuse(403, 'forbidden');
  await settle();
  // The third one is of the screen with the own profile.
  expect(of('account/profile')).toHaveLength(3);
  expect([texts('h1'), all('nav[aria-label=Screens]')]).toEqual([['Your account'], []]);
});

const HERE = '0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';

/** Logs out, with what the page does once the request that ends its session is answered. */
async function openLogout() {
  const page = await openPage({ session: HERE, answers: { admin: () => ({}) } });
  const replace = vi.spyOn(location, 'replace').mockReturnValue();
  keepDraft('x', { name: 'Ben' });
  await press('Your account');
  await perform('Log out');
  return { replace, [Symbol.dispose]: () => replace.mockRestore(), ...page };
}

test('a logout ends the session of this browser only, and then empties the page and its drafts', async () => {
  using page = await openLogout();
  expect(texts('dialog h2, dialog p')).toEqual([
    'Log out of this browser? ada',
    'Your other sessions stay open.',
    'What you have typed and not sent is discarded.',
  ]);
  expect(
    page.sent
      .filter(({ path }) => path.startsWith('account/') && path !== 'account/profile')
      .map(({ method, path }) => `${method} ${path}`),
  ).toContain(`POST account/sessions/end/${HERE}`);
  expect([page.of('account/logout'), page.replace.mock.calls]).toEqual([[], []]);
  page.of('account/sessions/end')[0]?.answer({});
  await settle();
  expect([page.replace.mock.calls, draftOf('x')]).toEqual([[['/api/core/admin']], {}]);
});

test('a logout whose session has ended already empties the page', async () => {
  using page = await openLogout();
  page.of('account/sessions/end')[0]?.refuse(401, 'unauthenticated');
  await settle();
  expect(page.replace.mock.calls).toEqual([['/api/core/admin']]);
});

test('a logout that fails keeps the page, and says so', async () => {
  using page = await openLogout();
  page.of('account/sessions/end')[0]?.refuse(500, 'internal');
  await settle();
  expect([page.replace.mock.calls, texts('dialog [role=alert] > div')]).toEqual([
    [],
    [expect.stringMatching(/^Something went wrong in the service\./)],
  ]);
});

test('a logout ends the session in the cookie, which another tab may have replaced', async () => {
  const other = HERE.replace(/b$/, 'c');
  const page = await openPage({ session: HERE });
  await press('Your account');
  await perform('Log out');
  page.of('admin')[0]?.page(`<html lang="en" data-session="${other}">`);
  await settle();
  expect(page.of('account/sessions/end').map(({ path }) => path)).toEqual([`account/sessions/end/${other}`]);
});

test('a logout everywhere is beside the sessions, and ends all of them', async () => {
  const { of } = await openPage({ address: '#me?part=sessions' });
  const replace = vi.spyOn(location, 'replace').mockReturnValue();
  await perform('Log out everywhere');
  of('account/logout')[0]?.answer({});
  await settle();
  expect(replace.mock.calls).toEqual([['/api/core/admin']]);
  replace.mockRestore();
});

test('drafts wait for the name of the person after a reload, and go when another one has logged in', async () => {
  history.replaceState({ isAdministrator: true }, '');
  const address = '#account?username=bob';
  const profile = (username: string) => ({
    'account/profile': ({ path }: Sent) =>
      path === 'account/profile' ? { user: { username }, roles: ['sys_administrator'] } : undefined,
  });
  await openPage({ address, answers: profile('ada') });
  keepDraft('x', { name: 'Ben' });
  const again = await openPage({ address, answers: profile('ada') });
  expect([draftOf('x'), again.sent[0]?.path]).toEqual([{ name: 'Ben' }, 'account/profile']);
  await openPage({ address, answers: profile('eve') });
  expect(draftOf('x')).toEqual({});
});

test('the page keeps nothing of a session in the storage of the browser', async () => {
  const { of } = await openPage({ hasSession: false });
  await fill({ Username: 'ada', Password: 'correct horse' });
  await press('Log in');
  of('account/login')[0]?.answer({ JWTtoken: 'secret' });
  await settle();
  expect([localStorage.length, sessionStorage.length, document.cookie]).toEqual([0, 0, '']);
});

test('a request waits 35 seconds for its answer, and without an end for the login', async () => {
  const timeouts: AbortController[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const controller = new AbortController();
    if (milliseconds === 35_000) timeouts.push(controller);
    return controller.signal;
  });
  const { of } = await openPage({ address: '#teams' });
  end(of('team/browse'));
  await settle();
  for (const timeout of timeouts) timeout.abort();
  await settle();
  await logInAgain(of);
  const [, repeated] = of('team/browse') as [Sent, Sent];
  expect([repeated.signal.aborted, all('[role=alert]')]).toEqual([false, []]);
  timeouts.at(-1)?.abort();
  expect(repeated.signal.aborted).toBe(true);
  vi.restoreAllMocks();
});
