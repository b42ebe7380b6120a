import { h } from 'preact';
import { expect, test, vi } from 'vitest';
import { all, field, fill, pick, press, scriptFetch, settle, show, texts } from './opened.ts';

const TEAM = { team_id: 't', team_short: 'OPS', team_name: 'Operations', team_type: 'internal' };
const ACCOUNT = { role_names: ['clerk', 'sys_tokens'], app_names: ['till', 'core'] };

/** Shows the fields in a form, with what the form sends. */
async function open(now?: object) {
  const requests = scriptFetch({
    'team/browse': ({ query }) =>
      query['cursor'] ? { items: [TEAM] } : { items: [{ ...TEAM, team_short: 'HR' }], next_cursor: 'HR' },
    'account/browse': () => ({ items: [ACCOUNT], next_cursor: 'more' }),
  });
  vi.resetModules();
  const { MembershipFields, noteNames } = await import('../../../infra/admin-page/memberships.tsx');
  const { Form } = await import('../../../infra/admin-page/form.tsx');
  const sent: object[] = [];
  const onSubmit = async (fields: object) => void sent.push(fields);
  const draw = () =>
    show(h(Form, { submit: 'Save', onSubmit, children: h(MembershipFields, { ...now } as never) }));
  return { sent, requests, noteNames, draw };
}

async function opened(now?: object) {
  document.documentElement.dataset['session'] = '';
  const { draw, ...rest } = await open(now);
  draw();
  await settle();
  return rest;
}

/** The entries of the list of a field. */
async function listOf(label: string, text = '') {
  await fill({ [label]: text });
  const options = texts('[role=option]');
  field(label).dispatchEvent(new FocusEvent('blur'));
  await settle();
  return options;
}

test('the fields offer all teams, the roles of the service, and the names in use on one page of accounts', async () => {
  const { requests } = await opened();
  expect(await listOf('Teams')).toEqual(['HROperations', 'OPSOperations']);
  expect(await listOf('Applications')).toEqual(['core', 'till']);
  expect(await listOf('Roles')).toEqual([
    'clerk',
    expect.stringMatching(/^Administrator.*every account.*\(sys_administrator\)$/),
    expect.stringMatching(/^Own API tokens.*\(sys_tokens\)$/),
    expect.stringMatching(/^Token check.*\(sys_introspection\)$/),
  ]);
  expect(requests.filter(({ path }) => path === 'account/browse').map(({ query }) => query)).toEqual([
    { names: 'true', limit: '50' },
  ]);
});

test('the lists are searched like people: by words, whatever surrounds them, their case and their marks', async () => {
  await opened();
  expect(await listOf('Teams', '\u200bOPÉRATIONS\u00a0')).toEqual(['HROperations', 'OPSOperations']);
  expect(await listOf('Teams', 'operations ops')).toEqual(['OPSOperations']);
});

test('the fields offer the names that the page has seen, without a request for accounts', async () => {
  document.documentElement.dataset['session'] = '';
  const { requests, noteNames, draw } = await open();
  noteNames([{ role_names: ['pilot'], app_names: [] }]);
  noteNames([{ role_names: ['clerk'] }]);
  draw();
  await settle();
  expect((await listOf('Roles')).slice(0, 2)).toEqual(['clerk', 'pilot']);
  expect(requests.map(({ path }) => path)).toEqual(['team/browse', 'team/browse']);
});

test('an unknown role or application is said to be new, and an unknown team cannot be picked', async () => {
  const { sent } = await opened();
  await pick({ Roles: 'pilot', Applications: 'kiosk', Teams: 'none' });
  expect(texts('.chip')).toEqual(['pilot (new role)', 'kiosk (new application)']);
  await fill({ Teams: '' });
  await press('Save');
  expect(sent).toEqual([{ roles: 'pilot', teams: '', apps: 'kiosk' }]);
});

test('the role of an administrator is sent only after a box that says what it gives', async () => {
  const { sent } = await opened();
  await pick({ Roles: 'sys_administrator' });
  const box = all('[type=checkbox]')[0] as HTMLInputElement;
  expect(box.closest('label')?.textContent).toMatch(/administrator, who can see and change every account/);
  await press('Save');
  expect(sent).toEqual([]);
  box.checked = true;
  await press('Save');
  expect(sent).toEqual([expect.objectContaining({ roles: 'sys_administrator' })]);
});

test('an account that is an administrator already needs no box', async () => {
  await opened({ now: { roles: ['sys_administrator'], teams: [], apps: [] } });
  expect(all('[type=checkbox]')).toEqual([]);
  await pick({ Roles: 'clerk' });
  expect([texts('[role=status] .row'), all('[type=checkbox]')]).toEqual([['clerk'], []]);
});
