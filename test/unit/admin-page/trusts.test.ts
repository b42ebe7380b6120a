import { expect, test } from 'vitest';
import type { Language } from '#lib/admin-page/languages';
import { all, dialogs, field, fill, openPage, perform, press, settle, texts } from './opened.ts';

const ISSUERS = [
  { name: 'github', issuer: 'https://token.actions.githubusercontent.com', platform: 'github' },
  { name: 'build', issuer: 'https://build.example.com', platform: 'other' },
].map((issuer) => ({ ...issuer, audience: 'https://accounts.example.com' }));

const TRUST = {
  trust_name: 'deploy',
  trust_id: 't-1',
  username: 'ci',
  issuer: 'github',
  subject: 'repo:octo-org@1/octo-repo@2:ref:refs/heads/main',
  claims: { repository_id: '2', repository_owner_id: '1' },
  roles: ['deployer'],
  access: 'read',
  addresses: null,
  max_minutes: 15,
  created_at: '2026-01-01T00:00:00Z',
  created_by: 'ada',
};

/** Opens the trusts of a machine. */
async function open(
  items: readonly object[],
  issuers: readonly object[] = ISSUERS,
  language: Language = 'en',
) {
  const page = await openPage({
    language,
    address: '#account?username=ci&part=trusts',
    answers: {
      'account/browse': () => ({ items: [{ id: 'm-1', username: 'ci', kind: 'machine', isactive: true }] }),
      'account/profile/ci': () => ({ user: { username: 'ci' }, roles: ['deployer'], apps: [], teams: [] }),
      'trust/browse': () => ({ items, issuers }),
    },
  });
  await settle();
  return page;
}

async function choose(label: string, value: string) {
  const select = field(label);
  select.value = value;
  select.dispatchEvent(new Event('input', { bubbles: true }));
  await settle();
}

test('the trusts of a machine have what they accept, their limits and their maker', async () => {
  const { of } = await open([TRUST]);
  expect(of('trust/browse').map(({ query }) => query)).toEqual([{ username: 'ci', limit: '50' }]);
  const cells = Object.fromEntries(
    all('tbody :is(th, td)').map((cell) => [cell.dataset['label'], cell.textContent]),
  );
  expect(cells).toMatchObject({
    Trust: 'deploy',
    'Accepts tokens of':
      'github: repo:octo-org@1/octo-repo@2:ref:refs/heads/mainrepository_id: "2"repository_owner_id: "1"',
    Limits: 'Read onlydeployer15 minutes',
  });
  expect(cells['Created']).toMatch(/ by ada$/);
});

test('the form of a repository shows the subject that results, and the trust pins the IDs', async () => {
  const { of } = await open([]);
  await press('Create trust');
  await fill({ Name: 'deploy', Repository: 'octo-org/octo-repo', 'ID of the repository': '2' });
  const subject = () => texts('dialog p[role=status] code');
  expect(subject()).toEqual(['repo:octo-org@…/octo-repo@2:ref:refs/heads/…']);
  await fill({ 'ID of its owner': '1', Branch: 'main' });
  await choose('Which jobs sign in', 'environment');
  expect(subject()).toEqual(['repo:octo-org@1/octo-repo@2:environment:…']);
  await fill({ Environment: 'prod' });
  expect(subject()).toEqual(['repo:octo-org@1/octo-repo@2:environment:prod']);
  await choose('Subjects of the repository', 'old');
  expect(subject()).toEqual(['repo:octo-org/octo-repo:environment:prod']);
  await choose('A session ends', '5');
  await choose('Addresses', 'some');
  await fill({ 'These addresses': '192.0.2.0/24' });
  await press('Create trust');
  const [sent] = of('trust/create');
  expect([sent?.path, sent?.body]).toEqual([
    'trust/create/deploy/ci',
    {
      issuer: 'github',
      subject: 'repo:octo-org/octo-repo:environment:prod',
      claims: { repository_id: '2', repository_owner_id: '1' },
      addresses: ['192.0.2.0/24'],
      max_minutes: 5,
    },
  ]);
});

test('a new trust shows the workflow to paste, for this instance, its audience and the trust', async () => {
  const { of } = await open([]);
  await press('Create trust');
  await fill({ Name: 'deploy', Repository: 'o/r', 'ID of the repository': '2', 'ID of its owner': '1' });
  await fill({ Branch: 'main' });
  await press('Create trust');
  of('trust/create')[0]?.answer(TRUST);
  await settle();
  const { value } = field('.github/workflows/core-account.yml');
  for (const part of [
    'id-token: write',
    'client_id=deploy@ci',
    'audience=https://accounts.example.com',
    'http://localhost:3000/api/core/oauth/token',
  ])
    expect(value).toContain(part);
  expect(texts('.notice > span')).toEqual([
    'The trust deploy of ci is created. Paste this where the program runs.',
  ]);
  await press('Close');
  expect(of('trust/browse')).toHaveLength(2);
});

test('tokens of another issuer are described by their subject and claims', async () => {
  const { of } = await open([]);
  await press('Create trust');
  await fill({ Name: 'job' });
  await choose('Issuer of the tokens', 'build');
  expect(all('dialog label', 'Repository')).toEqual([]);
  await fill({ Subject: 'job:7', Claims: '{"team": {"id": 7}' });
  await press('Create trust');
  expect(texts('dialog .error').join()).toContain('The claims are no JSON object.');
  await fill({ Claims: '{"team": {"id": 7}}' });
  await press('Create trust');
  expect(of('trust/create').map(({ body }) => body)).toEqual([
    { issuer: 'build', subject: 'job:7', claims: { team: { id: 7 } } },
  ]);
});

test('the subject and the claims are written for a token that no form describes', async () => {
  const { of } = await open([]);
  await press('Create trust');
  await choose('Tokens that it accepts', 'written');
  await fill({ Name: 'pr', Subject: 'repo:o/r:pull_request', Claims: '{"repository_id": "2"}' });
  await press('Create trust');
  expect(of('trust/create').map(({ body }) => body)).toEqual([
    { issuer: 'github', subject: 'repo:o/r:pull_request', claims: { repository_id: '2' } },
  ]);
});

test('a fault that the service finds in a claim is shown at its field', async () => {
  const { of } = await open([]);
  await press('Create trust');
  await fill({ Name: 'deploy', Repository: 'o/r', 'ID of the repository': '2', 'ID of its owner': '1' });
  await fill({ Branch: 'main' });
  await press('Create trust');
  of('trust/create')[0]?.refuse(400, 'invalid_request', [
    { field: 'claims.repository_id', message: 'Must be the number as a text' },
  ]);
  await settle();
  expect(texts('.fault').filter(Boolean)).toEqual(['Must be the number as a text. ']);
});

test('the snippet of a trust is shown again', async () => {
  await open([TRUST]);
  await press('Show');
  expect([dialogs(), field('.github/workflows/core-account.yml').value]).toEqual([
    ['How a program uses the trust deploy of ci'],
    expect.stringContaining('branches: ["main"]'),
  ]);
  await press('Close');
  expect(dialogs()).toEqual([]);
});

test('a deletion says that the sessions of the trust end at once', async () => {
  const { of } = await open([TRUST]);
  await press('Delete');
  expect(texts('dialog form > p')).toEqual([
    'Its sessions end at once: their next request is refused. A trust that is created again under its name does not revive them.',
  ]);
  await press('Back');
  await perform('Delete');
  const [sent] = of('trust/delete');
  expect(sent?.path).toBe('trust/delete/deploy/ci');
  sent?.answer({ trust_name: 'deploy', username: 'ci' });
  await settle();
  expect(texts('.notice > span')).toEqual([
    'The trust deploy of ci is deleted, and its sessions have ended.',
  ]);
});

test('without an issuer, the page says who sets one, and offers no trust', async () => {
  await open([], []);
  expect(texts('main p.card')).toEqual([
    'No issuer is set yet. Whoever deploys the service adds those that it trusts to the setting Issuers: [{"name": "github", "issuer": "https://token.actions.githubusercontent.com"}]',
  ]);
  expect(all('button', 'Create trust')).toEqual([]);
});

test('a trust whose issuer is no longer set says so', async () => {
  await open([{ ...TRUST, issuer: 'former' }]);
  expect(texts('td .bad')).toEqual(['not in the settings: nothing signs in']);
});

test('the branch is kept while an environment takes its place', async () => {
  await open([]);
  await press('Create trust');
  await fill({ Branch: 'main' });
  await choose('Which jobs sign in', 'environment');
  expect([all('dialog label', 'Branch'), field('Environment').value]).toEqual([[], '']);
  await choose('Which jobs sign in', 'branch');
  expect(field('Branch').value).toBe('main');
});

test('a name with spaces is suggested as it must be', async () => {
  await open([]);
  await press('Create trust');
  await fill({ Name: 'Deploy to Köln' });
  await press('Use “deploy-to-koeln”');
  expect(field('Name').value).toBe('deploy-to-koeln');
});

test('the German screen and dialog have no English', async () => {
  await open([TRUST], ISSUERS, 'de');
  expect([texts('main h2'), texts('thead th')]).toEqual([
    ['Vertrauensregeln'],
    ['Vertrauensregel', 'Nimmt Tokens an von', 'Grenzen', 'Erstellt', 'Verwendung', expect.any(String)],
  ]);
  await press('Vertrauensregel erstellen');
  expect(texts('dialog label').slice(0, 7)).toEqual([
    'Name',
    'Aussteller der Tokens',
    'Repository',
    'ID des Repositorys',
    'ID seines Besitzers',
    'Welche Jobs sich anmelden',
    'Branch',
  ]);
});
