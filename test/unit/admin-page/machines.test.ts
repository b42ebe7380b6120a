import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Language } from '#lib/admin-page/languages';
import { all, fill, openPage, pick, press, settle, texts } from './opened.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const MACHINE = {
  id: 'm-1',
  username: 'ci',
  kind: 'machine',
  owner: 'bea',
  user_first_name: '',
  user_last_name: '',
  isactive: true,
  islocked: false,
  created_at: '2026-01-01T00:00:00Z',
  lastActivity: '2026-01-02T00:00:00',
  role_names: ['deployer'],
  team_shorts: [],
  tokens: 2,
  trusts: 1,
};

const CARL = { id: 'u-3', username: 'carl', user_first_name: 'Carl', user_last_name: 'B', kind: 'person' };

const BEA = { ...CARL, id: 'u-2', username: 'bea', user_first_name: 'Bea', user_last_name: 'A' };

const PROFILE = { user: { username: 'ci' }, roles: ['deployer'], apps: [], teams: [] };

/** Opens the page at an address, with a machine whose owner a test may change. */
async function open(address: string, machine: object = {}, language: Language = 'en') {
  const state = { machine: { ...MACHINE, ...machine }, gone: [] as object[] };
  const page = await openPage({
    address,
    language,
    answers: {
      'account/browse': ({ query }) => {
        if (query['q']) return { items: [CARL] };
        if (query['username'] === 'bea') return { items: [BEA] };
        if (query['username'] === 'carl') return { items: [CARL] };
        if (query['state'] || query['cancelled_since'] || query['role'] || query['counter_fell'])
          return { items: [] };
        return { items: query['owner_gone'] ? state.gone : [state.machine] };
      },
      'account/profile/ci': () => PROFILE,
      'team/browse': () => ({ items: [] }),
      'account/passkeys/': () => ({ items: [] }),
      'trust/browse': () => ({ items: [], issuers: [] }),
      'token/browse': () => ({ items: [] }),
      'event/pending': () => ({ items: [] }),
    },
  });
  await settle();
  return { ...page, state };
}

/** Picks a person by what is typed, once the page has searched. */
async function pickOwner(text: string, label = 'Owner') {
  await fill({ [label]: text });
  await vi.advanceTimersByTimeAsync(150);
  await settle();
  await pick({ [label]: text });
}

const cells = () => all('tbody :is(th, td)').map((cell) => [cell.dataset['label'], cell.textContent]);

test('machines are a list of their own, with the person who answers for each', async () => {
  const { of } = await open('#machines');
  expect(of('account/browse').map(({ query }) => query)).toEqual([
    { kind: 'machine', names: 'true', limit: '50' },
    { username: 'bea' },
  ]);
  expect(Object.fromEntries(cells())).toMatchObject({
    Machine: 'ci ',
    Owner: 'Bea A',
    Roles: 'deployer',
    Tokens: '2',
    Trusts: '1',
    State: 'Active',
  });
  expect(all('td a').map((link) => link.getAttribute('href'))).toEqual(['#account?username=bea']);
});

test('the machines of an owner are listed', async () => {
  const { of } = await open('#machines?owner=bea');
  // The first one names the owner.
  expect(of('account/browse').map(({ query }) => query)).toEqual([
    { username: 'bea' },
    { kind: 'machine', names: 'true', owner: 'bea', limit: '50' },
  ]);
  await press('Remove Bea A');
  await pickOwner('car', 'Machines of');
  expect(
    of('account/browse')
      .map(({ query }) => query)
      .slice(-2),
  ).toEqual([
    { q: 'car', kind: 'person', limit: '8' },
    { kind: 'machine', names: 'true', owner: 'carl', limit: '50' },
  ]);
});

test('a new machine has an owner, who is found among people, and no role of a person', async () => {
  const { of } = await open('#machines');
  await press('Create machine');
  await fill({ Username: 'bot' });
  await pickOwner('car');
  expect(of('account/browse').at(-1)?.query).toEqual({ q: 'car', kind: 'person', limit: '8' });
  await fill({ Roles: 'sys_' });
  expect(texts('[role=option] bdi')).toEqual(['Token check', 'Create the role “sys_”']);
  await pick({ Roles: 'sys_intro' });
  await press('Create machine');
  const [sent] = of('account/create');
  expect(sent?.body).toEqual({
    username: 'bot',
    kind: 'machine',
    owner: 'carl',
    roles: ['sys_introspection'],
  });
  sent?.answer({});
  await settle();
  expect([location.hash, texts('.notice > span')]).toEqual([
    '#account?username=bot',
    ['The machine bot is created. Create a trust, so that it signs in without a secret, or an API token.'],
  ]);
});

test('the panel of a machine has trusts and an owner, but no password, code or passkey', async () => {
  const { of } = await open('#account?username=ci&part=access');
  expect(texts('.tabs a')).toEqual(['Trusts', 'Profile', 'Access', 'Tokens', 'Sessions', 'History']);
  expect(texts('.heading > .row > .row button')).toEqual(['Change owner', 'Lock']);
  await press('More actions');
  expect(texts('.heading [role=menuitem]')).toEqual(['Cancel account']);
  expect(texts('dl:first-of-type dd').slice(0, 2)).toEqual(['Machine', 'Bea A']);
  expect([of('account/passkeys'), all('main h2', 'Passkeys')]).toEqual([[], []]);
});

test('a person has no trusts, but a link to the machines that the person answers for, also before a cancellation', async () => {
  await open('#account?username=ci', { kind: 'person', owner: null });
  expect(texts('.tabs a')).toEqual(['Profile', 'Access', 'Tokens', 'Sessions', 'History']);
  const links = () => all('a', 'Machines of ci').map((link) => link.getAttribute('href'));
  expect(links()).toEqual(['#machines?owner=ci']);
  await press('More actions');
  await press('Cancel account');
  expect(links()).toEqual(['#machines?owner=ci', '#machines?owner=ci']);
});

test('the owner of a machine is changed', async () => {
  const { of, state } = await open('#account?username=ci&part=history');
  await press('Change owner');
  await pickOwner('car');
  await press('Change owner');
  const [sent] = of('account/access');
  expect([sent?.path, sent?.body]).toEqual(['account/access/ci', { owner: 'carl' }]);
  state.machine = { ...state.machine, owner: 'carl' };
  sent?.answer({});
  await settle();
  expect([texts('.notice > span'), texts('dl:first-of-type dd')[1]]).toEqual([
    ['Carl B answers for ci from now on.'],
    'Carl B',
  ]);
});

test('an account is turned into a machine once its name is typed, after what ends is said', async () => {
  const { of } = await open('#account?username=ci&part=history', { kind: 'person', owner: null });
  await press('More actions');
  await press('Turn into a machine');
  expect(texts('dialog form > p')).toEqual([
    'Its password, one-time code, passkeys and sessions end, and it cannot get others. Its API tokens, roles, teams and applications stay. Nobody can turn it back into a person.',
  ]);
  await pickOwner('car');
  await fill({ 'Type ci to confirm': 'ci' });
  await press('Turn into a machine');
  const [sent] = of('account/access');
  expect([sent?.path, sent?.body]).toEqual(['account/access/ci', { kind: 'machine', owner: 'carl' }]);
});

test('attention has the machines whose owner is gone, and sets another one', async () => {
  const { of, state } = await open('#attention');
  const rows = () => texts('.matters > li');
  expect(rows()).toEqual([]);
  state.gone = [{ ...MACHINE, owner: `erased:${'0'.repeat(8)}` }];
  await press('Teams');
  await press('Attention');
  expect(rows()).toEqual([expect.stringContaining('Former owner: an erased person')]);
  await press('Change owner');
  await pickOwner('car');
  state.gone = [];
  await press('Change owner');
  of('account/access')[0]?.answer({});
  await settle();
  expect([rows(), texts('.notice > span')]).toEqual([[], ['Carl B answers for ci from now on.']]);
});

test('the German list and form have no English', async () => {
  await open('#machines', {}, 'de');
  expect(texts('thead th').slice(0, 7)).toEqual([
    'Maschine',
    'Besitzer',
    'Rollen',
    'Tokens',
    'Vertrauensregeln',
    'Zuletzt aktiv',
    'Zustand',
  ]);
  await press('Maschine erstellen');
  expect(texts('dialog label')).toEqual(['Benutzername', 'Besitzer', 'Rollen']);
});
