import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Answers, all, dialogs, field, fill, openPage, press, settle, texts } from './opened.ts';

const { TZ } = process.env;

beforeEach(() => {
  process.env['TZ'] = 'UTC';
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: new Date('2026-11-20T12:00:00Z') });
});
afterEach(() => {
  process.env['TZ'] = TZ;
  vi.useRealTimers();
});

const ID = '0f2b6c9e-3d4a-4c11-9a55-6f1b2c3d4e5f';

const entry = (rest: object = {}) => ({
  time: '2026-11-20T11:57:00.000Z',
  actor: 'admin',
  credential: ID,
  action: 'account.lock',
  target: 'anna.keller',
  outcome: 'ok',
  changed: true,
  details: null,
  source: '192.0.2.7',
  requestId: ID,
  ...rest,
});

/** Opens the activity with these entries. */
const openActivity = async (...items: object[]) =>
  openPage({ address: '#audit', answers: { 'audit/browse': () => ({ items }) } });

const sentences = () => texts('.entry > span');

const login = (rest: object) =>
  entry({
    action: 'account.login',
    actor: null,
    credential: null,
    outcome: 'invalid_credentials',
    changed: false,
    ...rest,
  });

const operator = (action: string, rest: object = {}) =>
  entry({ actor: 'operator:support', action: `admin ${action}`, credential: null, source: 'host', ...rest });

test.each([
  [
    { details: { until: '2026-11-23T08:00:00.000Z', reason: 'on leave' } },
    'admin locked anna.keller until Monday 08:00, ‘on leave’',
  ],
  [
    { details: { until: '2027-01-04T08:00:00.000Z', reason: null } },
    'admin locked anna.keller until 4 January 2027 08:00',
  ],
  [{ action: 'account.export', changed: false }, 'admin downloaded all data of anna.keller'],
  [
    { action: 'account.export', target: 'admin', changed: false },
    'admin downloaded all data of their own account',
  ],
  [
    { action: 'account.export', outcome: 'step_up_required', changed: false },
    'admin tried to download all data of anna.keller: it has to be confirmed with a passkey',
  ],
  [{ changed: false }, 'admin locked anna.keller: nothing changed'],
  [
    { outcome: 'account_cancelled', changed: false },
    'admin tried to lock anna.keller. The account is cancelled.',
  ],
  [
    { outcome: 'internal', changed: null },
    'admin tried to lock anna.keller. The request could not be completed. It may have changed something.',
  ],
  [
    { actor: null, outcome: 'unauthenticated', changed: false },
    'Someone tried to lock anna.keller. A valid credential is required.',
  ],
  [
    { action: 'account.browse', target: null, outcome: 'forbidden', changed: false },
    'admin tried to list accounts. The credential does not permit this operation.',
  ],
  [
    {
      action: 'account.access',
      details: { roles_added: ['hr', 'it'], teams_removed: ['ops'], apps_added: [] },
    },
    'admin changed the access of anna.keller, added the roles hr, it, removed the team ops',
  ],
  [
    { action: 'account.access', details: { roles_added: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] } },
    'admin changed the access of anna.keller, added the roles a, b, c, d, e and 2 more',
  ],
  [
    {
      action: 'account.profile-update',
      target: 'admin',
      details: { fields: ['user_first_name', 'phonenumber', 'team_id'] },
    },
    'admin changed the profile of their own account (first name, phone number, team)',
  ],
  [
    {
      action: 'account.create',
      details: { invite_hours: 72, apps_added: ['core'], teams_added: ['ops'], roles_added: ['hr'] },
    },
    'admin created anna.keller, added the role hr, added the team ops, added the application core, with a one-time code for 72 hours',
  ],
  [
    { action: 'account.copy', details: { source: 'bob', roles_added: ['hr'] } },
    'admin copied roles and teams to anna.keller from bob, added the role hr',
  ],
  [
    { action: 'account.create', details: { invite_hours: 24 } },
    'admin created anna.keller, with a one-time code for 24 hours',
  ],
  [
    { action: 'account.access', details: { to_machine: true, machine_owner: 'bea' } },
    'admin changed the access of anna.keller, turned it into a machine, made bea its owner',
  ],
  [
    { action: 'account.access', details: { machine_owner: 'erased:7' } },
    'admin changed the access of anna.keller, made an erased person its owner',
  ],
  [
    { action: 'trust.create', details: { trust: 'deploy', issuer: 'github' } },
    'admin created a trust for anna.keller (deploy)',
  ],
  [{ action: 'trust.delete', details: { trust: 'deploy' } }, 'admin deleted a trust of anna.keller (deploy)'],
  [{ action: 'oauth.token', actor: 'ci', target: 'ci' }, 'ci logged in with a token'],
  [
    {
      action: 'oauth.token',
      actor: 'ci',
      target: 'ci',
      details: { resource: 'https://orders.example.com', token_id: ID },
    },
    'ci got a token for https://orders.example.com',
  ],
  [
    {
      action: 'oauth.token',
      actor: null,
      target: 'ci',
      outcome: 'invalid_credentials',
      details: { cause: 'wrong_claim' },
    },
    'A failed login of ci from 192.0.2.7. A claim of the token has another value than the trust names.',
  ],
  [
    {
      action: 'oauth.token',
      actor: null,
      target: null,
      outcome: 'invalid_credentials',
      details: { cause: 'unknown_trust' },
    },
    'A failed login with a token from 192.0.2.7. The machine has no such trust.',
  ],
  [
    { action: 'account.passkey-create', target: 'admin', details: { passkey: 'laptop' } },
    'admin created a passkey for their own account (laptop)',
  ],
  [
    { action: 'account.passkey-delete', details: { passkey: 'laptop' } },
    'admin removed a passkey of anna.keller (laptop)',
  ],
  [
    { action: 'account.passkey-assert', actor: 'anna.keller', details: { session: ID } },
    'anna.keller logged in with a passkey',
  ],
  [
    {
      action: 'account.passkey-assert',
      actor: null,
      target: null,
      outcome: 'invalid_credentials',
      changed: false,
    },
    'A failed login with a passkey from 192.0.2.7. The passkey is not valid.',
  ],
  [
    { action: 'account.lock', actor: 'erased:0199a1b2', target: 'erased:0199a1b3' },
    'An erased person locked an erased person',
  ],
  [
    { action: 'account.create', target: 'erased:0199a1b3', outcome: 'account_erased', changed: false },
    'admin tried to create an erased person. An account with this username was erased.',
  ],
  [
    { action: 'account.cancel', outcome: 'step_up_required', changed: false },
    'admin tried to cancel anna.keller: it has to be confirmed with a passkey',
  ],
  [
    { action: 'account.password', actor: 'anna.keller', details: { proof: 'code', session: ID } },
    'anna.keller changed the password of their own account with a one-time code',
  ],
  [
    { action: 'account.reactivate', details: { tokens_revived: 1, tokens_revoked: 0 } },
    'admin reactivated anna.keller, revived 1 token',
  ],
  [{ action: 'account.end-session', details: { session: ID } }, 'admin ended a session of anna.keller'],
  [{ action: 'account.login', actor: 'anna.keller', details: { session: ID } }, 'anna.keller logged in'],
  [{ action: 'oauth.revoke', details: { session: ID } }, 'admin revoked a session of anna.keller'],
  [
    { action: 'oauth.revoke', target: 'Deploy@anna.keller', details: { secret: 'former' } },
    'admin revoked the token Deploy of anna.keller, only a former secret',
  ],
  [
    { action: 'token.create-own', target: 'ci@admin@example.com', actor: 'admin@example.com' },
    'admin@example.com created the token ci',
  ],
  [
    { action: 'token.rotate', target: 'ci@a@b.example' },
    'admin replaced the secret of the token ci of a@b.example',
  ],
  [{ action: 'account.unlock', target: 'a@b.example' }, 'admin unlocked a@b.example'],
  [{ action: 'token.revoke', details: { revoked: 2 } }, 'admin deleted all tokens of anna.keller (2 tokens)'],
  [{ action: 'team.create', target: 'ops' }, 'admin created the team ops'],
  [
    { actor: 'secrets-manager', action: 'keys.rotate-signing-key', target: ID, details: { kid: ID } },
    'The service replaced the key that signs sessions',
  ],
  [
    { actor: null, action: 'first-start', target: 'admin', details: { roles_added: ['sys_administrator'] } },
    'The first start created admin, added the role Administrator',
  ],
  [{ action: 'account.merge' }, 'admin used what this page does not know'],
])('an entry with %j is a sentence', async (rest, sentence) => {
  await openActivity(entry(rest));
  expect(sentences()).toEqual([`${sentence} · 3 minutes ago`]);
});

test.each([
  [
    operator('account lock', { details: { claimed_by: 'arn:aws:sts::1:assumed-role/Support/jo' } }),
    'An operator (unproved: jo) locked anna.keller',
  ],
  [
    operator('account lock', { outcome: 'started', changed: null }),
    'An operator began to lock anna.keller. It still runs, or was cut off.',
  ],
  [
    operator('account lock', { outcome: 'AccessDenied', changed: null }),
    'An operator tried to lock anna.keller. It failed. It may have changed something.',
  ],
  [
    operator('import', { target: null, details: { file: 'hr.csv', count: 195 } }),
    'An operator imported accounts from hr.csv (195)',
  ],
  [operator('import'), 'An operator imported anna.keller'],
  [
    operator('keys revoke', { target: ID, details: { kid: ID } }),
    'An operator ended a key and everything that it signed',
  ],
  [
    operator('account reset-stamps', { target: null }),
    'An operator ended all sessions and codes of all accounts',
  ],
  [operator('account export', { changed: false }), 'An operator downloaded all data of anna.keller'],
  [operator('account reset-stamps'), 'An operator ended all sessions and codes of anna.keller'],
  [operator('token revoke', { target: 'ci@anna.keller' }), 'An operator deleted tokens of ci@anna.keller'],
])('the entry %j of a command is a sentence', async (item, sentence) => {
  await openActivity(item);
  expect(sentences()).toEqual([`${sentence} · 3 minutes ago`]);
});

test.each([
  ['an account that was changed', {}, ['admin', 'anna.keller']],
  ['an account that was refused as the target', { outcome: 'account_locked' }, ['admin', 'anna.keller']],
  ['an account that does not exist', { outcome: 'account_not_found' }, ['admin']],
  ['a name that was sent without a credential', { actor: null, outcome: 'unauthenticated' }, []],
  ['an account that was not created', { action: 'account.create', outcome: 'team_not_found' }, ['admin']],
  [
    'an account that existed',
    { action: 'account.create', outcome: 'account_exists' },
    ['admin', 'anna.keller'],
  ],
  ['a team', { action: 'team.create', target: 'ops' }, ['admin']],
  ['a command', { actor: 'operator:support', action: 'admin account lock' }, ['anna.keller']],
  ['a rotation', { actor: 'secrets-manager', action: 'keys.rotate-signing-key', target: ID }, []],
  ['the owner of a token', { action: 'token.delete', target: 'ci@anna.keller' }, ['admin', 'anna.keller']],
])('a sentence links accounts only: %s', async (_what, rest, links) => {
  await openActivity(entry(rest));
  expect(texts('.entry > span a')).toEqual(links);
  expect(all('.entry > span a').map((link) => link.getAttribute('href'))).toEqual(
    links.map((username) => `#account?username=${username}`),
  );
});

test('names of strangers stay text of their own direction', async () => {
  const reason = '\u202E<img src=x onerror=alert(1)>';
  await openActivity(
    entry({ details: { reason } }),
    entry({ action: 'team.create', target: 'אבג' }),
    operator('account lock', { details: { claimed_by: reason } }),
  );
  expect(all('.entry img')).toEqual([]);
  expect(texts('.entry bdi').filter((text) => text === reason)).toHaveLength(2);
  expect(texts('.entry bdi')).toContain('אבג');
});

test('an entry that was forged stays a sentence', async () => {
  await openActivity(
    operator('__proto__', { action: 'constructor', outcome: 'toString' }),
    operator('account lock', {
      details: { until: ['x'], source: 5, constructor: 'y', roles_added: 'z', count: [] },
    }),
  );
  expect(sentences()).toEqual([
    'An operator tried to use what this page does not know. It failed. · 3 minutes ago',
    'An operator locked anna.keller until x from 5, added the role z · 3 minutes ago',
  ]);
});

const PASSKEY = { action: 'account.passkey-assert' } as const;

test('failed logins with the same account, address, proof and reason are one sentence', async () => {
  const at = (minute: number, rest = {}) =>
    login({ time: `2026-11-20T11:${minute}:00Z`, requestId: `${minute}`, ...rest });
  await openActivity(
    at(57),
    at(56, { source: '192.0.2.8' }),
    at(55),
    at(54, { target: 'bob' }),
    at(53),
    at(52, { target: null }),
    at(51, { outcome: 'too_many_requests' }),
    at(50, { target: null }),
    at(49, PASSKEY),
    at(48, PASSKEY),
    at(47, { ...PASSKEY, target: null }),
  );
  const wrong = 'The username, password or code is not valid.';
  expect(sentences()).toEqual([
    `3 failed logins of anna.keller from 192.0.2.7. ${wrong} · 11:53 to 11:57`,
    `A failed login of anna.keller from 192.0.2.8. ${wrong} · 4 minutes ago`,
    `A failed login of bob from 192.0.2.7. ${wrong} · 6 minutes ago`,
    `2 failed logins of an unknown username from 192.0.2.7. ${wrong} · 11:50 to 11:52`,
    'A failed login of anna.keller from 192.0.2.7. Too many attempts. · 9 minutes ago',
    '2 failed logins of anna.keller with a passkey from 192.0.2.7. The passkey is not valid. · 11:48 to 11:49',
    'A failed login with a passkey from 192.0.2.7. The passkey is not valid. · 13 minutes ago',
  ]);
});

test.each<[string, object, string]>([
  ['of a locked account', { cause: 'account_locked' }, 'The account is locked.'],
  ['of a cancelled account', { cause: 'account_cancelled' }, 'The account is cancelled.'],
  ['with a wrong password', { cause: 'wrong_password' }, 'The password is wrong.'],
  ['of a locked-out account', { cause: 'locked_out' }, 'Too many logins had failed.'],
  ['for another cause', { cause: 'password_changed' }, 'The username, password or code is not valid.'],
  ['for a forged cause', { cause: ['toString'] }, 'The username, password or code is not valid.'],
])('a failed login %s says why', async (_what, details, end) => {
  await openActivity(login({ details }));
  expect(sentences()).toEqual([
    expect.stringMatching(new RegExp(`^A failed login of anna.keller.*${end} · 3`)),
  ]);
});

test.each([
  [
    { target: null, details: { cause: 'account_unknown' } },
    'of an unknown username from 192.0.2.7. The username, ',
  ],
  [
    { target: null, details: { cause: 'token_expired' } },
    'with a token from 192.0.2.7. The token has expired.',
  ],
  [
    { ...PASSKEY, target: null, details: { cause: 'unknown_passkey' } },
    'with a passkey from 192.0.2.7. No account has this passkey.',
  ],
  [
    { ...PASSKEY, details: { cause: 'wrong_assertion' } },
    'of anna.keller with a passkey from 192.0.2.7. The passkey is',
  ],
])('a failed login %j says by what', async (rest, sentence) => {
  await openActivity(login(rest));
  expect(sentences()[0]).toMatch(`A failed login ${sentence}`);
});

test('failed logins with other causes are sentences of their own', async () => {
  await openActivity(
    login({ requestId: '2', details: { cause: 'account_locked' } }),
    login({ requestId: '1', details: { cause: 'wrong_password' } }),
  );
  expect(sentences()).toEqual([
    expect.stringMatching(/^A failed login of anna.keller .* The account is locked\./),
    expect.stringMatching(/^A failed login of anna.keller .* The password is wrong\./),
  ]);
});

test('a refused password says why', async () => {
  const details = { cause: 'wrong_code' };
  await openActivity(login({ action: 'account.password', details }));
  expect(sentences()[0]).toMatch(
    'Someone tried to change the password of anna.keller. The one-time code is wrong.',
  );
});

test('a login between failed ones is not folded away', async () => {
  await openActivity(
    login({ requestId: '4' }),
    login({ requestId: '3' }),
    entry({ action: 'account.login', actor: 'anna.keller', requestId: '2' }),
    login({ requestId: '1' }),
  );
  expect(sentences().map((text) => text?.replace(/ from.*| ·.*/, ''))).toEqual([
    '2 failed logins of anna.keller',
    'anna.keller logged in',
    'A failed login of anna.keller',
  ]);
});

test('days are headings, by the clock of the person, and no sentence spans two', async () => {
  process.env['TZ'] = 'America/New_York';
  await openActivity(
    login({ time: '2026-11-20T05:00:00Z', requestId: '3' }),
    entry({ time: '2026-11-20T04:59:00Z', requestId: '2', target: 'bob' }),
    login({ time: '2026-11-20T04:58:00Z', requestId: '1' }),
  );
  const heads = texts('.day > h2').map((text) => text?.replace(',', ''));
  expect(heads).toEqual(['Friday 20 November 2026', 'Thursday 19 November 2026']);
  expect(all('.day').map((day) => day.querySelectorAll('.entry').length)).toEqual([1, 2]);
});

test('an entry of an earlier day has its time on that day', async () => {
  await openActivity(entry({ time: '2026-11-18T07:05:00Z' }));
  expect(sentences()).toEqual(['admin locked anna.keller · 07:05']);
  expect(all('.entry time')[0]?.title).toMatch(/Wednesday,? 18 November 2026.* 07:05:00 UTC/);
});

test('details have the exact time, the request and the raw entry, once they are opened', async () => {
  const raw = entry({ details: { reason: '\u202Eon leave' } });
  await openActivity(raw);
  const details = all('.entry details')[0] as HTMLDetailsElement;
  expect(details.textContent).toBe('Details');
  expect(sentences()[0]).not.toContain(ID);
  details.open = true;
  details.dispatchEvent(new Event('toggle'));
  await settle();
  expect(JSON.parse(`${details.querySelector('pre')?.textContent}`)).toEqual(raw);
  expect(details.querySelector('pre')?.textContent).not.toContain('\u202E');
  expect(details.textContent).toContain(`Request ID${ID}`);
  expect(details.textContent).toMatch(/Friday,? 20 November 2026.* 11:57:00 UTC/);
});

test('details of folded logins have each of them', async () => {
  await openActivity(login({ requestId: 'r-2' }), login({ requestId: 'r-1' }));
  const details = all('.entry details')[0] as HTMLDetailsElement;
  details.open = true;
  details.dispatchEvent(new Event('toggle'));
  await settle();
  expect(
    [...details.querySelectorAll('pre')].map(({ textContent }) => JSON.parse(textContent).requestId),
  ).toEqual(['r-2', 'r-1']);
});

test('the start of a command is told only without its end', async () => {
  const lock = (requestId: string, outcome: string) => operator('account lock', { requestId, outcome });
  await openActivity(lock('1', 'ok'), lock('1', 'started'), lock('2', 'started'));
  expect(sentences().map((text) => text?.includes('began to'))).toEqual([false, true]);
});

test('a filter is picked from a list, by its sentence', async () => {
  const { of } = await openActivity(entry());
  const options = [...field('Action').querySelectorAll('option')].map(({ value, textContent }) => [
    value,
    textContent,
  ]);
  expect(options).toContainEqual(['account.lock', 'Lock an account']);
  expect(options).toContainEqual(['admin account lock', 'Lock an account (operator)']);
  await fill({ Action: 'account.lock', Outcome: 'forbidden' });
  await vi.advanceTimersByTimeAsync(300);
  await settle();
  expect(of('audit/browse').at(-1)?.query).toEqual({
    action: 'account.lock',
    outcome: 'forbidden',
    limit: '50',
    names: 'true',
  });
});

test('a person is picked as a filter, and removed by one click', async () => {
  const { of } = await openPage({
    address: '#audit?target=bob&cursor=c',
    answers: {
      'audit/browse': () => ({ items: [] }),
      'account/browse': ({ query }) => ({
        items: query['q'] ? [{ username: 'ada', user_first_name: 'Ada', user_last_name: 'L' }] : [],
      }),
    },
  });
  await fill({ 'Done by': 'ad' });
  await vi.advanceTimersByTimeAsync(300);
  await settle();
  all('[role=option]')[0]?.click();
  await settle();
  expect(of('audit/browse').at(-1)?.query).toEqual({
    actor: 'ada',
    target: 'bob',
    limit: '50',
    names: 'true',
  });
  await press('Remove bob');
  expect(location.hash).toBe('#audit?actor=ada');
});

test('an operator is picked as an actor', async () => {
  await openActivity();
  field('Done by').click();
  await settle();
  expect(texts('[role=option]')).toEqual([
    'An operator (support)',
    'An operator (administrator)',
    'The service',
  ]);
  all('[role=option]')[0]?.click();
  await settle();
  expect(location.hash).toBe('#audit?actor=operator%3Asupport');
  expect(texts('.chip')).toEqual(['An operator (support)']);
});

test('an empty activity says what to do', async () => {
  await openActivity();
  expect(texts('.empty')).toEqual([
    'Nothing matches. Remove a filter. What was just done appears within a minute.',
  ]);
});

test.each([
  [{ actor: 'ada' }, 'You locked anna.keller'],
  [{ target: 'ada' }, 'admin locked your account'],
  [{ actor: 'ada', target: 'ada', action: 'account.logout' }, 'You logged out'],
  [
    { actor: 'ada', target: 'ada', action: 'account.export', changed: false },
    'You downloaded all data of your own account',
  ],
  [{ target: 'ada', action: 'account.export', changed: false }, 'admin downloaded all data of your account'],
  [
    { actor: 'ada', target: 'ada', action: 'account.profile-update' },
    'You changed the profile of your own account',
  ],
  [{ action: 'token.rotate', target: 'ci@ada' }, 'admin replaced the secret of the token ci of your account'],
])('an entry %j of the person at the page says so: %s', async (rest, sentence) => {
  await openActivity(entry(rest));
  expect(sentences()).toEqual([`${sentence} · 3 minutes ago`]);
  expect(all('.entry a').map((link) => link.getAttribute('href'))).toContain('#account?username=ada');
});

test('a failed login of the person at the page says so', async () => {
  await openActivity(login({ target: 'ada' }));
  expect(sentences()[0]).toMatch(/^A failed login of your account from 192.0.2.7/);
});

test('a refusal that counts others has their number, their times and their addresses', async () => {
  const counted = { count: 1234, first_at: '2026-11-20T11:03:00.000Z', last_at: '2026-11-20T11:55:00.000Z' };
  await openActivity(
    entry({
      ...{ actor: 'eve', outcome: 'forbidden', changed: false, time: '2026-11-20T11:00:00.000Z' },
      ...{ ...counted, sources: ['192.0.2.7', '192.0.2.8'] },
    }),
    login({ target: 'bob', time: '2026-11-20T10:00:00.000Z', ...counted, count: 3, sources: ['192.0.2.7'] }),
  );
  const [refused, failed] = sentences();
  expect(refused).toContain('eve tried to lock anna.keller.');
  expect(refused).toContain('(1,234 times)');
  expect(refused).toMatch(/11:03 to .*11:55/);
  expect(failed).toContain('3 failed logins of bob');
});

test('people have their real names, with the username on hover', async () => {
  await openActivity(
    entry({ actor_name: 'Ada Lovelace', target_name: 'Emma Müller' }),
    entry({ requestId: '2', action: 'token.delete', target: 'ci@anna.keller', target_name: 'Emma Müller' }),
    login({ target_name: 'Emma Müller' }),
  );
  expect(sentences()).toEqual([
    'Ada Lovelace locked Emma Müller · 3 minutes ago',
    'admin deleted the token ci of Emma Müller · 3 minutes ago',
    expect.stringMatching(/^A failed login of Emma Müller from/),
  ]);
  expect(all('.entry > span a').map(({ title }) => title)).toEqual([
    ...['admin', 'anna.keller'],
    ...['admin', 'anna.keller', 'anna.keller'],
  ]);
});

test.each([
  [{ credential: 'trust:deploy' }, 'ci logged in by the trust deploy'],
  [{ credential: 'backup' }, 'ci logged in with the token backup'],
  [
    { credential: 'trust:deploy', details: { resource: 'https://orders.example.com' } },
    'ci got a token for https://orders.example.com by the trust deploy',
  ],
])('a login with a token %j names the token or the trust', async (rest, sentence) => {
  await openActivity(entry({ action: 'oauth.token', actor: 'ci', target: 'ci', ...rest }));
  expect(sentences()).toEqual([`${sentence} · 3 minutes ago`]);
});

test('counted refusals stand among the other entries by their last time', async () => {
  const refused = { outcome: 'forbidden', changed: false, count: 3, first_at: '2026-11-20T11:03:00.000Z' };
  await openActivity(
    entry({ time: '2026-11-20T11:50:00.000Z', target: 'bob' }),
    entry({ time: '2026-11-20T11:20:00.000Z', target: 'cai' }),
    entry({
      time: '2026-11-20T11:00:00.000Z',
      target: 'eve',
      ...refused,
      last_at: '2026-11-20T11:30:00.000Z',
    }),
  );
  expect(sentences().map((text) => text?.match(/bob|cai|eve/)?.[0])).toEqual(['bob', 'eve', 'cai']);
});

const open = async (details: HTMLElement | undefined) => {
  (details as HTMLDetailsElement).open = true;
  details?.dispatchEvent(new Event('toggle'));
  await settle();
};

test('details are in words, and their IDs are with the data for support', async () => {
  await openActivity(
    entry({
      actor_name: 'Ada Lovelace',
      action: 'account.password',
      details: { session: ID, proof: 'code', passkeys_ended: 1234, batch: ID, batch_size: 1 },
    }),
  );
  await open(all('.entry > details')[0]);
  const facts = Object.fromEntries(
    all('.entry > details > dl > div').map((fact) =>
      [...fact.children].map(({ textContent }) => `${textContent}`),
    ),
  );
  expect(facts).toEqual({
    Time: expect.stringContaining('2026'),
    'Done by': 'Ada Lovelace (admin)',
    From: '192.0.2.7',
    'Proved by': 'a one-time code',
    'Passkeys ended': '1,234',
  });
  expect(all('.entry > details > details')[0]?.textContent).toContain(ID);
});

const OPERATION = '5f2b6c9e-3d4a-4c11-9a55-6f1b2c3d4e5f';

/** An entry of an operation that gave a role to people. */
const gave = (target: string, rest: object = {}, size = 3) =>
  entry({
    action: 'account.access',
    actor: 'ada',
    target,
    target_name: `Name of ${target}`,
    requestId: target,
    details: { roles_added: ['approver'], batch: OPERATION, batch_size: size },
    ...rest,
  });

const hadIt = (target: string, size = 3) =>
  gave(target, { changed: false, details: { batch: OPERATION, batch_size: size } });

test.each([
  [
    [gave('bob'), gave('cai'), hadIt('dan')],
    'You gave the role approver to 2 people (1 had it) · 3 minutes ago',
  ],
  [
    [gave('bob', {}, 40), hadIt('dan', 40)],
    'You gave the role approver to 1 person (1 had it) · 3 minutes ago · 2 of 40 shown',
  ],
  [
    ['bob', 'cai'].map((target) =>
      gave(target, { action: 'account.lock', details: { batch: OPERATION, batch_size: 2, until: null } }),
    ),
    'You locked 2 people · 3 minutes ago',
  ],
  [
    ['bob', 'cai'].map((target) =>
      gave(target, { action: 'account.code', details: { batch: OPERATION, batch_size: 2 } }),
    ),
    'You created a one-time code for 2 people · 3 minutes ago',
  ],
  [
    [
      ...['bob', 'cai'].map((target) =>
        gave(target, { action: 'account.create', details: { batch: OPERATION, batch_size: 3 } }),
      ),
      gave('dan', {
        action: 'account.create',
        outcome: 'account_exists',
        changed: false,
        details: { batch: OPERATION, batch_size: 3 },
      }),
    ],
    'You imported 2 people (1 existed) · 3 minutes ago',
  ],
])('an operation is one thing, case %#', async (items, sentence) => {
  await openActivity(...items);
  expect(sentences()).toEqual([sentence]);
});

test('the entry of a single person is a sentence of its own, with a link to its operation', async () => {
  await openPage({
    address: `#audit?batch=${OPERATION}`,
    answers: { 'audit/browse': () => ({ items: [gave('bob'), hadIt('dan')] }) },
  });
  expect(sentences()).toHaveLength(2);
  expect(texts('.chip')).toEqual(['What was done at once']);
  await open(all('.entry > details')[0]);
  expect(all('a', 'Show all')[0]?.getAttribute('href')).toBe(`#audit?batch=${OPERATION}`);
  await press('Remove What was done at once');
  expect(location.hash).toBe('#audit');
  expect(sentences()).toHaveLength(1);
});

test('a button is offered only for what can be taken back', async () => {
  const of = (action: string, batch: string) =>
    ['bob', 'cai'].map((target) => gave(target, { action, details: { batch, batch_size: 2 } }));
  await openActivity(
    ...of('account.unlock', OPERATION),
    ...of('account.code', OPERATION.replace('5', '6')),
    ...of('account.lock', OPERATION.replace('5', '7')),
  );
  expect(all('.entry').map((row) => row.querySelectorAll('button').length)).toEqual([0, 0, 1]);
});

test('an operation that was taken back says so, without a button', async () => {
  const batch = OPERATION.replace('5', '6');
  const took = ['bob', 'cai'].map((target) =>
    gave(target, {
      time: '2026-11-20T11:58:00.000Z',
      actor: 'eve',
      actor_name: 'Eve Miller',
      details: { roles_removed: ['approver'], batch, batch_size: 2 },
    }),
  );
  await openActivity(...took, gave('bob'), gave('cai'), hadIt('dan'));
  expect(sentences()).toEqual([
    'Eve Miller took the role approver from 2 people · 2 minutes ago',
    'You gave the role approver to 2 people (1 had it) · 3 minutes ago · taken back today 11:58 by Eve Miller',
  ]);
  expect(all('.entry').map((row) => row.querySelectorAll('button').length)).toEqual([1, 0]);
});

test('a role that forty people got by mistake is taken from the thirty who did not have it', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `p${index}`);
  const all40 = names.map((name, index) => (index < 30 ? gave(name, {}, 40) : hadIt(name, 40)));
  const { of } = await openPage({
    address: '#audit',
    answers: {
      // The page has a part of the operation.
      'audit/browse': ({ query }) => ({ items: query['batch'] ? all40 : all40.slice(0, 20) }),
      'account/browse': ({ query }) => ({ items: [{ username: query['username'], isactive: true }] }),
      'account/profile': ({ path }) =>
        path === 'account/profile'
          ? { user: { username: 'ada' }, roles: ['sys_administrator'] }
          : // One of them has lost it since.
            { roles: path.endsWith('/p0') ? [] : ['approver'], teams: [], apps: [] },
      'account/access': () => ({ username: '', roles_added: [], roles_removed: ['approver'] }),
    },
  });
  expect(sentences()).toEqual(['You gave the role approver to 20 people · 3 minutes ago · 20 of 40 shown']);
  await press('Undo');
  expect(of('audit/browse').at(-1)?.query).toMatchObject({ batch: OPERATION, names: 'true' });
  const lines = texts('dialog li');
  expect(lines).toHaveLength(30);
  expect(lines[0]).toBe('Name of p0 stays: it was changed again since');
  expect(lines[1]).toBe('Name of p1 loses approver');
  await press('Undo');
  const sent = of('account/access');
  expect(sent.map(({ path }) => path.split('/').at(-1))).toEqual(names.slice(1, 30));
  expect(sent[0]?.body).toEqual({ add: {}, remove: { roles: ['approver'] } });
  const batches = sent.map(({ headers }) => `${headers.get('x-batch')} ${headers.get('x-batch-size')}`);
  expect(new Set(batches).size).toBe(1);
  expect(batches[0]).toMatch(/^[\da-f-]{36} 29$/);
  expect(batches[0]).not.toContain(OPERATION);
  expect(texts('dialog p').join()).toContain('29 taken back.');
});

/** Opens the undo of the only operation of the activity. */
async function openUndo(items: readonly object[], answers: Answers) {
  const opened = await openPage({
    address: '#audit',
    answers: { 'audit/browse': () => ({ items }), ...answers },
  });
  await press('Undo');
  return opened;
}

const created = (target: string, rest: object = {}) =>
  gave(target, {
    action: 'account.create',
    details: { batch: OPERATION, batch_size: 2, invite_hours: 24 },
    ...rest,
  });

const createdItem = {
  isactive: true,
  created_at: '2026-11-20T11:57:00.000Z',
  lastActivity: '2026-11-20T11:57:00.000',
};

test('an import is taken back by a typed number, but for those who have used their accounts', async () => {
  const { of } = await openUndo([created('bob'), created('cai')], {
    'account/browse': ({ query }) => ({
      items: [
        {
          ...createdItem,
          username: query['username'],
          ...(query['username'] === 'cai' && { lastActivity: '2026-11-20T11:58:00.000' }),
        },
      ],
    }),
    'account/cancel': () => ({ changed: true }),
  });
  expect(dialogs()).toEqual(['Cancel the imported accounts?']);
  expect(texts('dialog li')).toEqual([
    'Name of bob will be cancelled',
    'Name of cai stays: it was used since',
  ]);
  expect(field('Type 1 to confirm').required).toBe(true);
  await fill({ 'Type 1 to confirm': '1' });
  await press('Undo');
  expect(of('account/cancel').map(({ path }) => path)).toEqual(['account/cancel/bob']);
  expect(texts('dialog p').join()).toContain('1 taken back.');
});

test('a lock is taken back only while it is the same', async () => {
  const locked = (target: string) =>
    gave(target, {
      action: 'account.lock',
      details: { batch: OPERATION, batch_size: 2, until: null, reason: 'Audit' },
    });
  const { of } = await openUndo([locked('bob'), locked('cai')], {
    'account/browse': ({ query }) => ({
      items: [
        {
          username: query['username'],
          islocked: true,
          lockoutending: '9999-12-31T23:59:59Z',
          lock_reason: query['username'] === 'bob' ? 'Audit' : 'Theft',
        },
      ],
    }),
    'account/unlock': () => ({ changed: true }),
  });
  await press('Undo');
  expect(of('account/unlock').map(({ path }) => path)).toEqual(['account/unlock/bob']);
});

test('people who become administrators again are announced before', async () => {
  await openUndo(
    ['bob', 'cai'].map((target) =>
      gave(target, { details: { batch: OPERATION, batch_size: 2, roles_removed: ['sys_administrator'] } }),
    ),
    {
      'account/browse': ({ query }) => ({ items: [{ username: query['username'] }] }),
      'account/profile/': () => ({ roles: [], teams: [], apps: [] }),
    },
  );
  expect(dialogs()).toEqual(['Give the role Administrator again?']);
  expect(texts('dialog label').join()).toContain('Yes, make 2 people');
});

test('an undo that fails for one reports it, and a busy service makes it wait', async () => {
  const { of } = await openUndo([gave('bob'), gave('cai'), hadIt('dan')], {
    'account/browse': ({ query }) => ({ items: [{ username: query['username'] }] }),
    'account/profile/': () => ({ roles: ['approver'], teams: [], apps: [] }),
  });
  await press('Undo');
  const [bob, cai] = of('account/access');
  bob?.refuse(404, 'account_not_found');
  cai?.refuse(429, 'too_many_requests', [], { 'retry-after': '60' });
  await settle();
  expect(texts('dialog [role=status]').join()).toMatch(/busy/i);
  await vi.advanceTimersByTimeAsync(61_000);
  await settle();
  of('account/access')
    .at(-1)
    ?.answer({ username: 'cai', roles_added: [], roles_removed: ['approver'] });
  await settle();
  expect(texts('dialog p').join()).toContain('1 failed, 1 taken back.');
});

test('people with the same name are told apart by their usernames', async () => {
  const emma = { target_name: 'Emma Müller' };
  await openActivity(gave('bob', emma), gave('cai', emma), hadIt('dan'));
  await open(all('.entry > details')[0]);
  expect(texts('.entry > details li')).toEqual([
    'Emma Müller bob',
    'Emma Müller cai',
    'Name of dan: nothing changed',
  ]);
});

test('a person who was erased since is not read, and has no name', async () => {
  const erased = { target: 'erased:0199a1b2', target_name: null };
  const { of } = await openUndo([gave('bob'), gave('cai', erased), hadIt('dan')], {
    'account/browse': () => ({ items: [{ username: 'bob' }] }),
    'account/profile/': () => ({ roles: ['approver'], teams: [], apps: [] }),
  });
  expect(texts('dialog li')).toEqual([
    'Name of bob loses approver',
    'an erased person does not exist any more',
  ]);
  expect(of('account/browse')).toHaveLength(1);
});

test('an undo that is stopped sends no more, and reports what it did not send', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const { of } = await openUndo(
    names.map((name) => gave(name, {}, 6)),
    {
      'account/browse': ({ query }) => ({ items: [{ username: query['username'] }] }),
      'account/profile/': () => ({ roles: ['approver'], teams: [], apps: [] }),
    },
  );
  await press('Undo');
  expect(of('account/access')).toHaveLength(4);
  await press('Stop');
  expect(of('account/access')).toHaveLength(4);
  expect(texts('dialog li').filter((text) => text?.includes('Not sent: you stopped before.'))).toHaveLength(
    2,
  );
});

test('nobody is left to undo what was changed again for all', async () => {
  const { of } = await openUndo([gave('bob'), gave('cai'), hadIt('dan')], {
    'account/browse': ({ query }) => ({ items: [{ username: query['username'] }] }),
    'account/profile/': () => ({ roles: [], teams: [], apps: [] }),
  });
  expect(texts('dialog p')).toContain('Nobody is left for whom it can be taken back.');
  await press('Undo');
  expect(of('account/access')).toEqual([]);
  expect(dialogs()).toEqual(['Take the role approver back?']);
});

test('the entry of an erasure has its proof', async () => {
  const { of } = await openPage({
    address: '#audit',
    answers: {
      'audit/browse': () => ({
        items: [
          entry({ action: 'account.erase', target: `erased:${ID}`, details: { userid: ID } }),
          entry({ action: 'account.erase', outcome: 'account_active', changed: false }),
        ],
      }),
    },
  });
  expect(all('.entry').map((row) => row.querySelectorAll('button').length)).toEqual([1, 0]);
  await press('Proof of erasure');
  expect(of('account/erase').map(({ path }) => path)).toEqual([`account/erase/${ID}`]);
});

const openGerman = async (...items: object[]) =>
  openPage({ address: '#audit', answers: { 'audit/browse': () => ({ items }) }, language: 'de' });

test.each([
  [{ actor_name: 'Ada Lovelace', target_name: 'Emma Müller' }, 'Ada Lovelace hat Emma Müller gesperrt'],
  [{ actor: 'ada' }, 'Sie haben anna.keller gesperrt'],
  [{ target: 'ada' }, 'admin hat Ihr Konto gesperrt'],
  [
    { outcome: 'account_cancelled', changed: false },
    'admin hat versucht, anna.keller zu sperren. Das Konto ist gekündigt.',
  ],
  [{ action: 'account.cancel' }, 'admin hat das Konto von anna.keller gekündigt'],
  [{ action: 'account.login', actor: 'anna.keller' }, 'anna.keller hat sich angemeldet'],
  [
    {
      action: 'account.profile-update',
      target: 'admin',
      details: { fields: ['user_first_name', 'team_id'] },
    },
    'admin hat das Profil des eigenen Kontos geändert (Vorname, Team)',
  ],
  [
    { action: 'account.profile-update', actor: 'ada', target: 'ada' },
    'Sie haben das Profil Ihres eigenen Kontos geändert',
  ],
  [
    { action: 'account.access', details: { roles_added: ['hr', 'it'] } },
    'admin hat den Zugriff von anna.keller geändert, Rollen hr, it hinzugefügt',
  ],
  [
    { action: 'token.rotate', target: 'ci@anna.keller' },
    'admin hat das Geheimnis des Tokens ci von anna.keller erneuert',
  ],
  [
    { action: 'account.erase', target: 'erased:7' },
    'admin hat das Konto einer gelöschten Person endgültig gelöscht',
  ],
  [{ action: 'account.lock', changed: false }, 'admin hat anna.keller gesperrt: nichts geändert'],
  [
    { actor: null, action: 'account.login', outcome: 'invalid_credentials', changed: false },
    expect.stringMatching(/^Eine fehlgeschlagene Anmeldung von anna\.keller von der Adresse 192\.0\.2\.7\. /),
  ],
])('an entry with %j is a German sentence', async (rest, sentence) => {
  await openGerman(entry(rest));
  expect(sentences().map((text) => text?.replace(/ · .*/, ''))).toEqual([sentence]);
});

test('the German screen has no English left', async () => {
  await openGerman(gave('bob'), gave('cai'), hadIt('dan'), entry());
  expect(texts('h1')).toEqual(['Aktivität']);
  expect(texts('.day > h2').map((text) => text?.replace(',', ''))).toEqual(['Freitag 20. November 2026']);
  expect(sentences()[0]).toMatch(/^Sie haben 2 Personen die Rolle approver gegeben \(1 hatte sie schon\)/);
  expect(texts('.entry > button')).toEqual(['Rückgängig']);
  expect(texts('.entry > details > summary')).toEqual(['Einzelheiten', 'Einzelheiten']);
  const options = [...field('Aktion').querySelectorAll('option')].map(({ textContent }) => textContent);
  expect(options).toContain('Konto sperren');
  expect(options).toContain('Konto sperren (Operator)');
  expect(options).toEqual([options[0], ...options.slice(1).toSorted(new Intl.Collator('de').compare)]);
  for (const label of ['Getan von', 'Betrifft', 'Ergebnis']) expect(field(label)).toBeDefined();
  await open(all('.entry > details')[1]);
  expect(texts('.entry dt')).toEqual(['Zeit', 'Getan von', 'Von', 'Anfrage-ID']);
});

test('an operation is taken back in German', async () => {
  await openPage({
    address: '#audit',
    language: 'de',
    answers: {
      'audit/browse': () => ({ items: [gave('bob'), gave('cai'), hadIt('dan')] }),
      'account/browse': ({ query }) => ({ items: query['username'] === 'bob' ? [{ username: 'bob' }] : [] }),
      'account/profile': ({ path }) =>
        path === 'account/profile'
          ? { user: { username: 'ada' }, roles: ['sys_administrator'] }
          : { roles: ['approver'], teams: [], apps: [] },
      'account/access': () => ({ username: '', roles_added: [], roles_removed: ['approver'] }),
    },
  });
  await press('Rückgängig');
  expect(texts('dialog li')).toEqual(['Name of bob verliert approver', 'Name of cai gibt es nicht mehr']);
  await press('Rückgängig');
  expect(texts('dialog li')).toEqual(['Name of bob zurückgenommen']);
});
