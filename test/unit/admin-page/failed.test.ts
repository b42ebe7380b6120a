import { h } from 'preact';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Failed } from '../../../infra/admin-page/failed.tsx';
import { faultText, knownFault } from '../../../infra/admin-page/faults.ts';
import { PasskeyFailure } from '../../../infra/admin-page/passkey.ts';
import { failures as german } from '../../../infra/admin-page/texts/de/failures.ts';
import { faults as germanFaults } from '../../../infra/admin-page/texts/de/faults.ts';
import { failures } from '../../../infra/admin-page/texts/en/failures.ts';
import { faults } from '../../../infra/admin-page/texts/en/faults.ts';
import { contract as create } from '../../../lib/account/create.contract.ts';
import { contract as updateProfile } from '../../../lib/account/profile/profile-update.contract.ts';
import { CoreAccountError } from '../../../lib/client/index.ts';
import { FAILURES } from '../../../lib/failure/codes.ts';
import { parse } from '../../../lib/input/parse.ts';
import { contract as createToken } from '../../../lib/token/create.contract.ts';
import { all, openPage, press, settle, show, texts } from './opened.ts';

/** The sentence of a failure. */
const TEXT = '[role=alert] > div';

const failure = (code: string, more: ConstructorParameters<typeof CoreAccountError>[2] = {}) =>
  new CoreAccountError('account.lock', code, { message: 'Refused.', ...more });

const ERRORS = [
  { field: 'add.roles.0', message: 'Must have at most 64 characters' },
  { field: 'username', message: 'Must not be repeated' },
];

test.each<[string, CoreAccountError, string]>([
  [
    'its code',
    failure('account_exists'),
    'An account with this username already exists. Choose another username.',
  ],
  ['a code of a newer service', failure('newer'), 'Refused.'],
  [
    'each fault',
    failure('invalid_request', { errors: ERRORS }),
    'Roles: Must have at most 64 characters. Username: Must not be repeated.',
  ],
  [
    'a fault without a name',
    failure('invalid_request', { errors: [{ field: 'x.y', message: 'Is odd' }] }),
    'Some of this is not valid.',
  ],
  [
    'what is missing',
    failure('forbidden', { errors: [{ field: 'role', message: 'Requires sys_administrator' }] }),
    'Only administrators may do this.',
  ],
  [
    'an unknown reason',
    failure('forbidden', { errors: [{ field: 'x', message: 'Is odd' }] }),
    'You may not do this.',
  ],
  [
    'a short wait',
    failure('too_many_requests', { status: 429, retryAfter: 1 }),
    'Too many attempts. Wait 1 second.',
  ],
  [
    'a wait of 90 seconds',
    failure('too_many_requests', { retryAfter: 90 }),
    'Too many attempts. Wait 90 seconds.',
  ],
  ['a longer wait', failure('too_many_requests', { retryAfter: 91 }), 'Too many attempts. Wait 2 minutes.'],
  ['a wait of hours', failure('too_many_requests', { retryAfter: 7200 }), 'Too many attempts. Wait 2 hours.'],
  [
    'an unknown outcome',
    failure('network_error'),
    'No answer came. Check your connection. Check what was done before you try again.',
  ],
])('a failure says %s in a sentence', (_what, error, text) => {
  show(h(Failed, { error }));
  expect(texts(TEXT)).toEqual([text]);
});

test('a failure whose faults are all shown by fields is not shown again', () => {
  const error = failure('invalid_request', { errors: ERRORS, requestId: 'r-1' });
  show(h(Failed, { error, isShown: () => true }));
  expect(all('[role=alert]')).toEqual([]);
  show(h(Failed, { error, isShown: (name) => name === 'username' }));
  expect(texts(TEXT)).toEqual(['Roles: Must have at most 64 characters.']);
});

test('a failure has its code and its request ID in its details only, with a button that copies all', async () => {
  const copied: string[] = [];
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal('navigator', { clipboard: { writeText: async (text: string) => void copied.push(text) } });
  show(h(Failed, { error: failure('account_locked', { requestId: 'r-1' }) }));
  const details = all('details:not([open])')[0];
  expect(details?.textContent).toContain('r-1');
  details?.remove();
  expect(document.body.textContent).not.toMatch(/r-1|account_locked/);
  show(null);
  show(h(Failed, { error: failure('account_locked', { requestId: 'r-1' }) }));
  await press('Copy');
  expect(copied).toEqual([
    'The account is locked. Unlock it first.\naccount.lock: account_locked. Refused.\nRequest r-1',
  ]);
});

test('a failure of credentials has no details to copy', () => {
  show(h(Failed, { error: failure('invalid_credentials', { status: 401, requestId: 'r-1' }) }));
  expect([texts(TEXT), all('button, details')]).toEqual([
    ['The username, password or code is not valid.'],
    [],
  ]);
});

test.each([
  ['a change of another person', failure('precondition_failed'), /^Another person changed this meanwhile\./],
  [
    'a script that is gone',
    new TypeError('Failed to fetch dynamically imported module: /x.js'),
    /^This page was updated meanwhile\./,
  ],
  ['a script that is gone in Firefox', new TypeError('error loading dynamically imported module'), /updated/],
  ['a script that is gone in Safari', new TypeError('Importing a module script failed.'), /updated/],
  ['a fault of the page', new Error('x is undefined'), /^Something went wrong on this page\./],
])('%s offers to load the page again', (_what, error, text) => {
  show(h(Failed, { error }));
  expect([texts(TEXT)[0], texts('.error > button')]).toEqual([expect.stringMatching(text), ['Load again']]);
});

test.each([['Nothing to save'], [new PasskeyFailure('Nothing to save')]])(
  'a text for people is shown as it is (%#)',
  (error) => {
    show(h(Failed, { error }));
    expect([texts(TEXT), all('button, details')]).toEqual([['Nothing to save'], []]);
  },
);

test('a failure replaces the text of invalid credentials only', () => {
  const refusal = 'The code is not valid.';
  const shownOf = (code: string) => {
    show(h(Failed, { error: failure(code, { status: 401 }), refusal }));
    return texts(TEXT);
  };
  expect(shownOf('invalid_credentials')).toEqual([refusal]);
  expect(shownOf('other')).toEqual(['Refused.']);
});

test.each([
  [0, 1],
  [400, 0],
  [403, 0],
  [404, 0],
  [409, 0],
  [428, 0],
  [429, 1],
  [499, 0],
  [500, 1],
  [503, 1],
])('a failure with the status %i has %i buttons to try again', (status, number) => {
  let retries = 0;
  show(h(Failed, { error: failure('x', { status }), retry: () => retries++ }));
  const buttons = all('button', 'Try again');
  for (const button of buttons) button.click();
  expect([buttons.length, retries]).toEqual([number, number]);
});

/** The messages of the service for values of a contract. */
function messagesOf(schema: Parameters<typeof parse>[0], value: unknown): string[] {
  try {
    parse(schema, value);
    return [];
  } catch (error) {
    return (error as { errors: { field: string; message: string }[] }).errors.map(({ message }) => message);
  }
}

const LONG = 'x'.repeat(3000);

test('what the service says of typed values is known', () => {
  const messages = [
    ...[{}, { username: 'a b' }, { username: LONG }, { username: 'ab', roles: ['a b', LONG] }].flatMap(
      (body) => messagesOf(create.body(), body),
    ),
    ...[
      'user_first_name',
      'user_last_name',
      'phonenumber',
      'user_short',
      'user_color',
      'user_currency',
    ].flatMap((name) =>
      ['', ' ', '\u0000', LONG, '#x'].flatMap((text) => messagesOf(updateProfile.body(), { [name]: text })),
    ),
    ...[
      { description: LONG },
      { expires_in_days: 0 },
      { expires_in_days: 1e9 },
      { addresses: ['x'] },
    ].flatMap((body) => messagesOf(createToken.body(), body)),
  ];
  expect(messages.length).toBeGreaterThan(10);
  expect([...new Set(messages)].filter((message) => knownFault(message) === undefined)).toEqual([]);
});

test('texts of faults are those of the language, and German ones are not English', () => {
  expect(faultText('Must have at most 1 item')).toBe('Must have at most 1 entry');
  expect(faultText('Is odd')).toBe('Is odd');
  const args = ['2', '3'] as const;
  const texts = (of: typeof faults.of) => Object.values(of).map((text) => text(...args));
  const common = texts(faults.of).filter((text) => texts(germanFaults.of).includes(text));
  expect(common).toEqual([]);
});

test('each code has a sentence in both languages', () => {
  const codes = Object.keys(FAILURES) as (keyof typeof FAILURES)[];
  const same = codes.filter((code) => !failures.of[code] || failures.of[code] === german.of[code]);
  expect(same).toEqual([]);
});

test('the German page shows a failure in German', async () => {
  const { of } = await openPage({ address: '#account?username=bob', language: 'de' });
  of('account/profile/bob')[0]?.refuse(404, 'account_not_found');
  await settle();
  expect(texts(TEXT)).toEqual(['Es gibt kein Konto mit diesem Benutzernamen.']);
});

test('the German page shows the fault of a field in German, and an unknown one in the details', async () => {
  const { of } = await openPage({ address: '#me?part=password', language: 'de' });
  await settle();
  all('form')[0]?.dispatchEvent(new Event('submit', { cancelable: true }));
  await settle();
  of('account/password')[0]?.refuse(400, 'invalid_request', [
    { field: 'current_password', message: 'Is odd' },
    { field: 'new_password', message: 'Must not be a common password' },
  ]);
  await settle();
  expect(texts('.fault')).toEqual([
    'Der Dienst nimmt diesen Wert nicht an. ',
    'Darf kein häufiges Passwort sein. ',
  ]);
  expect(texts('.field details samp')).toEqual(['Is odd']);
});
