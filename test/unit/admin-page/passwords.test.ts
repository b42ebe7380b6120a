import { expect, test } from 'vitest';
import { field, fill, openPage, press, settle, texts } from './opened.ts';

const CODE = { Username: 'bob\u00a0', 'One-time code': '\u200b ABCD ', 'New password': ' long and new ' };
const SET = { username: 'bob', code: 'ABCD', new_password: ' long and new ' };

async function redeem() {
  const answers = { 'account/profile': () => undefined };
  const page = await openPage({ address: '#code', hasSession: false, answers });
  await fill(CODE);
  await press('Set password and log in');
  return page;
}

test.each([
  [
    'a person without the role',
    [],
    ' From now on, log in to your applications with it. You can close this page.',
  ],
  ['an administrator', ['sys_administrator'], ''],
])(
  'a code sets a password as %s typed it and opens the session, and the page says what is next',
  async (_who, roles, next) => {
    const { of, sent } = await redeem();
    const [request] = of('account/password');
    expect([sent.length, request?.body]).toEqual([1, { ...SET, createCookie: true }]);
    request?.answer({}, 'Password Changed');
    await settle();
    expect(location.hash).toBe('');
    expect(of('account/login')).toEqual([]);
    of('account/profile')[0]?.answer({ user: { username: 'bob' }, roles });
    await settle();
    expect(texts('.notice span:last-of-type')).toEqual([
      `Your password is set, and you are logged in.${next}`,
    ]);
  },
);

test('a code next to an ended session is sent again without its cookie, and a login follows', async () => {
  const { of } = await redeem();
  of('account/password')[0]?.refuse(401, 'unauthenticated');
  await settle();
  const second = of('account/password')[1];
  expect([second?.credentials, second?.body]).toEqual(['omit', SET]);
  second?.answer({});
  await settle();
  expect(of('account/login').map(({ body, credentials }) => [body, credentials])).toEqual([
    [{ username: 'bob', password: SET.new_password, createCookie: true }, undefined],
  ]);
  expect(of('account/profile')).toEqual([]);
  of('account/login')[0]?.answer({});
  await settle();
  expect(of('account/profile')).toHaveLength(1);
});

test('a refused code is not sent again, and is selected to be corrected while all that was typed stays', async () => {
  const { of, sent } = await redeem();
  of('account/password')[0]?.refuse(401, 'invalid_credentials');
  await settle();
  expect(sent).toHaveLength(1);
  expect(texts('[role=alert] div')).toEqual([
    'The username or code is not valid. A code works once, and for a limited time.',
  ]);
  expect([field('Username').value, field('One-time code').value, field('New password').value]).toEqual([
    CODE.Username,
    CODE['One-time code'],
    CODE['New password'],
  ]);
  expect(document.activeElement).toBe(field('One-time code'));
});

test('a new password that the service refuses keeps the code', async () => {
  const { of } = await redeem();
  of('account/password')[0]?.refuse(400, 'invalid_request', [
    { field: 'new_password', message: 'Is common' },
  ]);
  await settle();
  expect(field('One-time code').value).toBe(CODE['One-time code']);
  expect(texts('.fault')).toEqual(['', '', 'Is common. ']);
});

test.each([
  [
    'Must have 8 to 72 bytes, without NUL; a letter such as é has two',
    'Must have at least 8 characters, and 72 at most: letters with accents and emoji count as several. ',
  ],
  [
    'Must have 8 bytes in addition to your username and names',
    'Must have at least 8 characters besides your username and names. ',
  ],
])(
  'the rule of a password is shown before it is typed, and %j in words for people',
  async (message, text) => {
    const { of } = await openPage({ address: '#me?part=password' });
    expect(texts('small').at(-1)).toMatch(/^At least 8 characters\. /);
    await fill({ 'Current password': 'old', 'New password': 'new' });
    await press('Change password');
    of('account/password')[0]?.refuse(400, 'invalid_request', [{ field: 'new_password', message }]);
    await settle();
    expect(texts('.fault').at(-1)).toBe(text);
  },
);

test('the forms for a password and for a code lead to each other, and to their first fields', async () => {
  await openPage({ hasSession: false });
  expect(document.activeElement).toBe(field('Username'));
  await press('Use a one-time code');
  expect([texts('h1'), document.activeElement]).toEqual([['Set your password'], field('Username')]);
  await press('Log in with a password');
  expect([texts('h1'), document.activeElement]).toEqual([['Log in'], field('Username')]);
});

test('the address of an invitation leads to the field for its code', async () => {
  await openPage({ address: '#code?username=bob', hasSession: false });
  expect([field('Username').value, document.activeElement]).toEqual(['bob', field('One-time code')]);
});

test('a change of the own password sends both passwords, and clears them after the answer', async () => {
  const { of } = await openPage({ address: '#me?part=password' });
  await fill({ 'Current password': 'old', 'New password': 'new' });
  await press('Change password');
  expect(of('account/password').map(({ body }) => body)).toEqual([
    { current_password: 'old', new_password: 'new', createCookie: true },
  ]);
  of('account/password')[0]?.answer({});
  await settle();
  expect([field('Current password').value, field('New password').value]).toEqual(['', '']);
});

test('a wrong current password is no end of the session', async () => {
  const { of } = await openPage({ address: '#me?part=password' });
  await fill({ 'Current password': 'old', 'New password': 'new' });
  await press('Change password');
  of('account/password')[0]?.refuse(401, 'invalid_credentials');
  await settle();
  expect(texts('[role=alert] div')).toEqual(['The current password is not valid.']);
  expect(texts('dialog')).toEqual([]);
});
