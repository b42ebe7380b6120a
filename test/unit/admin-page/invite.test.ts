import { expect, test, vi } from 'vitest';
import { FIELDS } from '../../../infra/admin-page/accounts/fields.tsx';
import { all, field, fill, openPage, pick, press, settle, texts } from './opened.ts';

/** Opens the invitation, with one team. */
const openInvite = (language: 'en' | 'de' = 'en') =>
  openPage({
    language,
    address: '#invite',
    answers: {
      'team/browse': () => ({ items: [{ team_short: 'OPS', team_name: 'Operations' }] }),
      'account/browse': () => ({ items: [{ role_names: ['clerk'], app_names: ['core', 'till'] }] }),
    },
  });

test('an invitation asks for name, username, role and team, with everything else folded away', async () => {
  await openInvite();
  const isFolded = (label: HTMLElement) => label.closest('details') !== null;
  const labels = all('main label');
  const textsOf = (some: readonly HTMLElement[]) => some.map(({ textContent }) => textContent);
  expect(textsOf(labels.filter((label) => !isFolded(label)))).toEqual([
    'First name',
    'Last name',
    'Username',
    'Roles',
    'Teams',
  ]);
  expect(all('main details[open]')).toEqual([]);
  const ofProfile = FIELDS.map(({ label }) => label).filter((label) => !/^(First|Last) name$/.test(label));
  expect(textsOf(labels.filter(isFolded)).sort()).toEqual(
    [...ofProfile, 'Applications', 'The code ends after'].sort(),
  );
});

test.each<[string, Record<string, string>, Record<string, string>, object]>([
  ['with a code of a day', {}, {}, { invite_hours: 24 }],
  ['without a code when none is chosen', { 'The code ends after': '' }, {}, {}],
  [
    'with the fields of the profile, the names of its access and the hours of a code',
    { 'First name': 'Ada', 'Custom properties': '{"a":{}}', 'The code ends after': '72' },
    { Roles: 'clerk', Teams: 'oper', Applications: 'till' },
    {
      user_first_name: 'Ada',
      user_properties: { a: {} },
      roles: ['clerk'],
      teams: ['OPS'],
      apps: ['till'],
      invite_hours: 72,
    },
  ],
])('an account is created %s', async (_what, values, picked, more) => {
  const { of } = await openInvite();
  await fill({ Username: 'ada', ...values });
  await pick(picked);
  await press('Invite');
  expect(of('account/create').map(({ body }) => body)).toEqual([{ username: 'ada', ...more }]);
});

test('the answer of an invitation says whom to give the code, until when it works, and where', async () => {
  const { of } = await openInvite();
  await fill({ 'First name': 'Ada', 'Last name': 'Byron', Username: '\u200eada+b\u00a0' });
  await press('Invite');
  of('account/create')[0]?.answer({ code: 'ABCD', code_expires_at: '2026-11-27T09:30:00Z' });
  await settle();
  const address = new URL('/api/core/admin#code?username=ada%2Bb', location.href).href;
  expect([location.hash, field('One-time code').value]).toEqual(['#account?username=ada%2Bb', 'ABCD']);
  expect([texts('dialog li strong'), texts('dialog li a')]).toEqual([['Ada Byron'], [address]]);
  expect(texts('dialog li').at(-1)).toMatch(/^The code works once, until Friday,? 27 November 2026/);
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await press('Copy as a message');
  expect(write.mock.lastCall?.[0].split('\n').slice(1, 4)).toEqual([
    address,
    'Username: ada+b',
    'One-time code: ABCD',
  ]);
  await press('Close');
  expect(texts('.notice')).toEqual(['Ada Byron is invited. They can log in once they have set a password.']);
});

test('the address of an invitation fills in the username', async () => {
  await openPage({ address: '#code?username=ada%2Bb', hasSession: false });
  expect(field('Username').value).toBe('ada+b');
});

test('what was typed and picked into an invitation stays until it is sent', async () => {
  const { of } = await openInvite();
  await fill({ 'First name': 'Ada', Username: 'ada', 'The code ends after': '72' });
  await pick({ Roles: 'sys_tok', Teams: 'oper' });
  await press('People');
  await press('Invite');
  const values = ['First name', 'Username', 'The code ends after'].map((label) => field(label).value);
  expect([values, texts('.chip')]).toEqual([
    ['Ada', 'ada', '72'],
    ['Own API tokens', 'OPS'],
  ]);
  await press('Invite');
  expect(of('account/create')[0]?.body).toEqual({
    username: 'ada',
    user_first_name: 'Ada',
    roles: ['sys_tokens'],
    teams: ['OPS'],
    invite_hours: 72,
  });
  of('account/create')[0]?.answer({});
  await settle();
  await press('People');
  await press('Invite');
  expect([field('Username').value, texts('.chip')]).toEqual(['', []]);
});

test('the box for an administrator is there again with a draft', async () => {
  await openInvite();
  await pick({ Roles: 'sys_adm' });
  await press('People');
  await press('Invite');
  expect(texts('.check').join()).toMatch(/^Yes, make this person an administrator/);
});

test('the invitation and its message are German on the German page', async () => {
  const { of } = await openInvite('de');
  expect([texts('h1'), texts('main label').slice(0, 5)]).toEqual([
    ['Einladen'],
    ['Vorname', 'Nachname', 'Benutzername', 'Rollen', 'Teams'],
  ]);
  expect(texts('main option')).toEqual([
    '1 Stunde',
    '8 Stunden',
    '1 Tag',
    '2 Tagen',
    '3 Tagen',
    'kein Code: nur API-Tokens benutzen das Konto',
  ]);
  await fill({ Vorname: 'Ada', Nachname: 'Byron', Benutzername: 'ada' });
  await press('Einladen');
  of('account/create')[0]?.answer({ code: 'ABCD', code_expires_at: '2026-11-27T09:30:00Z' });
  await settle();
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await press('Als Nachricht kopieren');
  const lines = `${write.mock.lastCall?.[0]}`.split('\n');
  expect([lines[0], ...lines.slice(2, 4)]).toEqual([
    'Guten Tag Ada Byron, legen Sie hier Ihr Passwort für localhost:3000 fest:',
    'Benutzername: ada',
    'Einmalcode: ABCD',
  ]);
  expect(texts('dialog li').join()).not.toMatch(/\b(the|code to|they|until)\b/i);
  await press('Schließen');
  expect(texts('.notice')).toEqual([
    'Ada Byron ist eingeladen und kann sich anmelden, sobald ein Passwort festgelegt ist.',
  ]);
});
