import { expect, test, vi } from 'vitest';
import { FIELDS } from '../../../infra/admin-page/accounts/fields.tsx';
import { all, field, fill, openPage, pick, press, settle, texts } from './opened.ts';

/** Opens the invitation, with one team. */
const openInvite = () =>
  openPage({
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
