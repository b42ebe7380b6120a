import { expect, test } from 'vitest';
import { ago, withCredentials } from '#infra/admin/account/credentials';
import { DAY_MS, HOUR_MS, isoOf, MINUTE_MS } from '#lib/time';
import { createToken } from '#lib/token/create';
import { newAuthenticator } from '../../authenticator.ts';
import { newName } from '../../names.ts';
import { by } from '../support/engine.ts';
import { NOON, storedPasskey } from '../support/items.ts';
import { openInstance } from './operator.ts';

const { run, json, account, runtime, table } = await openInstance();

/** Half a day more than 20: commands read the clock of this machine. */
const CREATED = isoOf(Date.now() - 20.5 * DAY_MS);

/** An account with a passkey and a token, as a thief leaves it. */
async function robbed() {
  const owner = await account({ username: newName('owner') });
  await storedPasskey(table, owner, newAuthenticator(), Date.parse(CREATED), 'foreign');
  await createToken(runtime, owner, 'left', by('root'));
  return owner.username;
}

const passkeyLine = (username: string) =>
  `  1 passkey, the newest, foreign, created 20 days ago: "account passkey list ${username}"`;
const REMEDY = 'If one is not the owner’s: infra/admin/stolen.md, "An account", has all commands';

test.each([
  ['lock', [], 'work again after an unlock or a reactivation'],
  ['unlock', [], 'work'],
  ['show', [], 'work'],
  ['password', ['--password-stdin'], 'work'],
])(
  'account %s reports the passkeys and tokens that stay, and where the remedy is',
  async (verb, options, when) => {
    const username = await robbed();
    if (verb === 'unlock') await run(['account', 'lock', username]);
    const { code, stderr } = await run(['account', verb, username, ...options], 'correct horse');
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(`These credentials of ${username} ${when}:\n${passkeyLine(username)}\n`);
    expect(stderr).toMatch(
      new RegExp(`^ {2}1 API token, the newest, left, created \\d+ days ago: "token list ${username}"$`, 'm'),
    );
    expect(stderr).toContain(REMEDY);

    const { answer } = await json(['account', verb, username, ...options], 'correct horse');
    expect(answer).toMatchObject({
      username,
      code_created_at: null,
      credentials: {
        passkeys: 1,
        newest_passkey: { name: 'foreign', created_at: CREATED },
        tokens: 1,
        newest_token: { name: 'left', created_at: isoOf(NOON) },
      },
    });
  },
);

test('account show names the remedy of administrators for one', async () => {
  const root = await account({ username: newName('root'), roles: ['sys_administrator'] });
  await createToken(runtime, root, 'left', by('root'));
  const { stderr } = await run(['account', 'show', root.username]);
  expect(stderr).toContain(REMEDY.replace('An account', 'A credential of an administrator'));
});

test('account unlock reports an open code, and its maker', async () => {
  const { username } = await account({ username: newName('owner') });
  await run(['account', 'code', username]);
  const { stderr } = await run(['account', 'unlock', username]);
  expect(stderr).toMatch(
    new RegExp(
      `^ {2}a one-time code, created .+ ago by operator:\\S+: "account reset-stamp ${username}" ends it$`,
      'm',
    ),
  );
});

test('account password of an account without passkeys and tokens reports none', async () => {
  const { username } = await account({ username: newName('owner') });
  const { stderr } = await run(['account', 'password', username, '--password-stdin'], 'correct horse');
  expect(stderr).not.toContain('credentials of');
  const { answer } = await json(['account', 'show', username]);
  expect(answer.credentials).toEqual({ passkeys: 0, newest_passkey: null, tokens: 0, newest_token: null });
});

test('a fault of the report is a line of it, since the work is done', async () => {
  const output = await withCredentials({ runtime }, 'nobody', { changed: true });
  expect(output.json).toEqual({ changed: true, credentials: null });
  expect(output.people.text).toContain('The credentials of nobody could not be listed: ');
});

test.each([
  [MINUTE_MS - 1, 'less than a minute ago'],
  [MINUTE_MS, '1 minute ago'],
  [HOUR_MS - 1, '59 minutes ago'],
  [DAY_MS - 1, '23 hours ago'],
  [1000 * DAY_MS, '1,000 days ago'],
])('a time %i ms before now is %s', (ms, text) => {
  expect(ago(isoOf(NOON - ms), NOON)).toBe(text);
});
