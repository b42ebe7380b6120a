import { expect, test } from 'vitest';
import { all, openPage, press, settle, texts } from './opened.ts';

const BOB = {
  username: 'bob',
  user_first_name: 'Bob',
  user_last_name: 'Builder',
  phonenumber: '+43 1',
  user_properties: { root: { theme: 'dark' } },
  isactive: true,
  islocked: false,
};

const entry = (part: object) => ({
  time: '2026-11-20T12:00:00.000Z',
  actor: 'ada',
  credential: null,
  action: 'account.lock',
  target: 'bob',
  outcome: 'ok',
  changed: true,
  details: null,
  source: '192.0.2.7',
  requestId: 'r-1',
  ...part,
});

const EXPORT = {
  exported_at: '2026-11-29T12:00:00.000Z',
  userid: '019b76da-9c00-7a34-8352-7c2e2c660b1a',
  profile: { user: BOB, teams: [{ team_id: 't-1', team_short: 'ops' }], roles: ['clerk'], apps: [] },
  tokens: [
    {
      name: 'ci',
      token_created_at: '2026-11-01T08:00:00.000',
      token_used_at: '2026-11-02T08:00:00.000',
      token_created_by: 'ada',
      token_expires_at: null,
      token_description: 'builds',
      token_access: 'read',
      token_roles: ['clerk'],
      token_addresses: null,
    },
  ],
  sessions: [
    {
      id: 's-1',
      created_at: '2026-11-28T12:00:00.000Z',
      expires_at: '2026-11-29T12:00:00.000Z',
      address: '192.0.2.9',
      user_agent: 'curl/8',
      credential: null,
    },
  ],
  passkeys: [],
  code: null,
  audit: [entry({})],
  audit_next: 'page-2',
  attempts: [entry({ actor: null, action: 'account.login', outcome: 'invalid_credentials', count: 3 })],
};

/** Opens the own account, and its report. */
async function openReport(language?: 'de') {
  const page = await openPage({
    address: '#me',
    ...(language && { language }),
    answers: {
      'account/profile': () => ({ user: BOB, roles: [], apps: [], teams: [] }),
      'account/export': ({ query }) =>
        query['cursor']
          ? {
              exported_at: EXPORT.exported_at,
              audit: [entry({ action: 'account.unlock', requestId: 'r-0' })],
            }
          : EXPORT,
    },
  });
  await settle();
  await press(language ? 'Datenauskunft' : 'Data report');
  return page;
}

const cells = (heading: string) => {
  const start = all('.document h2', heading)[0];
  let next = start?.nextElementSibling;
  while (next && next.tagName !== 'TABLE') next = next.nextElementSibling;
  return [...(next?.querySelectorAll('tbody tr') ?? [])].map((row) =>
    [...row.children].map((cell) => cell.textContent),
  );
};

test('the data report of one’s own account reads all pages, and has a part for all that is stored', async () => {
  const { of } = await openReport();
  expect(of('account/export').map(({ query }) => query)).toEqual([{}, { cursor: 'page-2' }]);
  expect(texts('.document :is(h1, h2)')).toEqual([
    'Data report',
    'Profile',
    'Access',
    'Passkeys',
    'Open sessions',
    'API tokens',
    'Activity',
    'Failed attempts of others',
  ]);
  const facts = texts('.document dl').join();
  for (const text of [
    'Bob Builder',
    'bob',
    EXPORT.userid,
    '+43 1',
    '{"root":{"theme":"dark"}}',
    'ops',
    'clerk',
  ])
    expect(facts).toContain(text);
  expect(cells('API tokens')[0]?.join()).toMatch(
    /^ci: builds,.*1 November 2026.*, ada,.*2 November 2026.*,no end,read only, roles: clerk, addresses: all$/,
  );
  expect(cells('Open sessions')[0]?.slice(2)).toEqual(['192.0.2.9', 'curl/8', 'password']);
  expect(document.title).not.toContain('Bob');
  expect(location.hash).toBe('#me');
});

test('the data report has the activity in sentences, with exact times and addresses', async () => {
  await openReport();
  const [first, second] = cells('Activity');
  expect(first).toEqual([
    expect.stringContaining('20 November 2026'),
    expect.stringMatching(/locked/),
    '192.0.2.7',
  ]);
  expect(second?.[1]).toMatch(/unlocked/);
  expect(cells('Failed attempts of others')[0]?.[1]).toMatch(/3 failed logins/);
});

test('the data report is in German on a German page', async () => {
  await openReport('de');
  expect(texts('.document :is(h1, h2)')).toEqual([
    'Datenauskunft',
    'Profil',
    'Zugriff',
    'Passkeys',
    'Offene Sitzungen',
    'API-Tokens',
    'Aktivität',
    'Fehlgeschlagene Versuche anderer',
  ]);
  expect(texts('.document thead th').join()).not.toMatch(/Created|Began|Time|What/);
});

test('the data report and the file are two buttons', async () => {
  await openReport();
  await press('Close');
  expect(texts('section.part .download button')).toEqual(['Data report', 'Download all data']);
});
