import { expect, test } from 'vitest';
import type { Language } from '#lib/admin-page/languages';
import { suggestedName } from '../../../infra/admin-page/accounts/suggested.tsx';
import { all, dialogs, field, fill, openPage, press, settle, texts } from './opened.ts';

const TOKEN = {
  username: 'bob',
  name: 'ci',
  token_access: 'full',
  token_created_by: 'bob',
  token_created_at: '2026-01-01T00:00:00Z',
  token_used_at: '2026-01-01T00:00:00Z',
};

const open = (address: string, language: Language = 'en') =>
  openPage({
    language,
    address,
    answers: {
      'account/browse': () => ({
        items: [
          { id: 'u-1', username: 'bob', user_first_name: 'Bob', user_last_name: 'Doe', isactive: true },
        ],
      }),
      'account/profile/bob': () => ({ user: { username: 'bob' }, roles: ['deployer'], apps: [], teams: [] }),
      'token/rotate': () => undefined,
      'token/create': () => undefined,
      'token/': () => ({ items: [TOKEN] }),
    },
  });

test.each(['#account?username=bob&part=tokens', '#owners'])(
  'at %s, a token gets a new secret, and the old one ends an hour later by default',
  async (address) => {
    const { of } = await open(address);
    await settle();
    await press('Rotate');
    expect([dialogs(), field('The old secret ends').value]).toEqual([
      ['Rotate the token ci of Bob Doe?'],
      '60',
    ]);
    expect(texts('dialog option')).toEqual([
      'at once, such as after a theft',
      'after an hour',
      'after a day',
    ]);
    await press('Rotate');
    const [sent] = of('token/rotate');
    expect([sent?.path, sent?.body]).toEqual(['token/rotate/ci/bob', { overlap_minutes: 60 }]);
    sent?.answer({ value: 'cst_new' });
    await settle();
    expect([field('New secret').value, texts('.notice > span')]).toEqual([
      'cst_new',
      ['The token ci of Bob Doe is rotated. The old secret works for another hour.'],
    ]);
    await press('Close');
    expect(texts('.notice')).toHaveLength(1);
  },
);

test('the old secret ends at once where that is chosen', async () => {
  const { of } = await open('#owners');
  await press('Rotate');
  await fill({ 'The old secret ends': '0' });
  await press('Rotate');
  expect(of('token/rotate')[0]?.body).toEqual({ overlap_minutes: 0 });
});

/** Opens the form of a new token, fills its fields, and answers what is sent. */
async function create(values: Readonly<Record<string, string>> = {}) {
  const { of } = await open('#account?username=bob&part=tokens');
  await settle();
  await press('Create token');
  await fill({ Name: 'ci' });
  for (const [label, value] of Object.entries(values)) await fill({ [label]: value });
  await press('Create token');
  return of('token/create');
}

test('a new token ends after 90 days, and has no other limit, by default', async () => {
  const [sent] = await create();
  expect([sent?.path, sent?.body]).toEqual(['token/create/ci/bob', { expires_in_days: 90 }]);
});

test.each([
  ['365', {}, { expires_in_days: 365 }],
  ['', {}, {}],
  ['date', { 'Last day': '2027-03-05' }, { expires_at: new Date('2027-03-05T23:59').toISOString() }],
])('the end %j of a token is chosen', async (end, more, expected) => {
  const [sent] = await create({ Ends: end, ...more });
  expect(sent?.body ?? {}).toEqual(expected);
});

test('an end that the instance does not allow is refused in words', async () => {
  const [sent] = await create({ Ends: '' });
  sent?.refuse(400, 'invalid_request', [
    { field: 'expires_in_days', message: 'Must be given, at most 60 days ahead' },
  ]);
  await settle();
  expect(texts('.fault').filter(Boolean)).toEqual([
    'Tokens work here for at most 60 days. Choose an earlier end. ',
  ]);
});

test('the limits of a token are folded, and chosen instead of left empty', async () => {
  const [sent] = await create({ Access: 'read', Addresses: 'some', 'These addresses': '192.0.2.0/24' });
  expect(texts('dialog summary')).toEqual(['Restrict']);
  expect(sent?.body).toEqual({ expires_in_days: 90, access: 'read', addresses: ['192.0.2.0/24'] });
});

test('a limit to some roles needs one of them', async () => {
  expect(await create({ Roles: 'some' })).toEqual([]);
  expect(texts('dialog .error').join()).toContain('Pick the roles');
});

test('a name with spaces is suggested as it must be', async () => {
  await open('#account?username=bob&part=tokens');
  await settle();
  await press('Create token');
  await fill({ Name: 'Backup laptop' });
  await press('Use “backup-laptop”');
  expect(field('Name').value).toBe('backup-laptop');
});

test.each([
  ['Backup laptop', 'backup-laptop'],
  ['  Größe & Maß/2 ', 'groesse-mass-2'],
  ['Łódź.v2', 'lodz.v2'],
  ['小明', ''],
])('the name %j is suggested as %j', (text, expected) => {
  expect(suggestedName(text)).toBe(expected);
});

test('the owners of tokens are called by their names, in German, too', async () => {
  await open('#owners', 'de');
  await settle();
  expect(texts('h1, h2')).toEqual([
    'Tokens und Administratoren',
    'Administratoren',
    'API-Tokens nach Besitzer',
  ]);
  expect(all('tbody :is(th, td)[data-label="Besitzer"]').map(({ textContent }) => textContent)).toEqual([
    'Bob Doe',
  ]);
  await press('Geheimnis erneuern');
  expect(dialogs()).toEqual(['Geheimnis des Tokens ci von Bob Doe erneuern?']);
});
