import { expect, test } from 'vitest';
import { checkLines, readLines } from '#infra/admin-page/import/file';
import { rowOf } from '#lib/account/file/row';
import { csvLine } from '#lib/text/csv';
import { FILLED_IN } from '../support/items.ts';

const check = async (name: string, text: string, teams: readonly string[] = []) => {
  const lines = await checkLines(readLines(name, Buffer.from(text)), new Set(teams));
  return lines.map(({ text: _, head: __, ...line }) => line);
};

const fault = (field: string, message: unknown = expect.any(String)) => ({ field, message });

test('checkLines keeps each line of a file, in order, with the value that it has in the file', async () => {
  const rows = ['ada', 'bob', 'cy'].map((username) => ({
    username,
    roles: ['clerk'],
    user_properties: { root: { a: 1 } },
  }));
  const lines = await check('x.jsonl', rows.map((row) => JSON.stringify(row)).join('\n\n'));
  expect(lines).toEqual(rows.map((value, index) => ({ line: 2 * index + 1, value, errors: [] })));
});

test('checkLines reads CSV by the name of the file, and its last line without an end', async () => {
  const lines = await check('x.CSV', 'username,teams\nada,OPS\nbob,ops', ['ops']);
  expect(lines).toEqual([
    { line: 2, value: { username: 'ada', teams: ['OPS'] }, errors: [] },
    { line: 3, value: { username: 'bob', teams: ['ops'] }, errors: [] },
  ]);
});

test.each<[string, object, { field: string; message: unknown }[]]>([
  ['a username that the service refuses', { username: 'api' }, [fault('username')]],
  ['no username', {}, [fault('username')]],
  ['each wrong field', { username: 'x', user_color: 'red', roles: 1 }, [fault('user_color'), fault('roles')]],
  [
    'a password',
    { username: 'x', password: 'secret' },
    [fault('password', 'Only the operator command can import this field')],
  ],
  [
    'a lock',
    { username: 'x', islocked: true },
    [fault('islocked', 'Only the operator command can import locked accounts')],
  ],
  [
    'a cancelled account',
    { username: 'x', isactive: false },
    [fault('isactive', 'Only the operator command can import cancelled accounts')],
  ],
  [
    'a misspelt role of the service',
    { username: 'x', roles: ['sys_secret'] },
    [fault('roles.0', expect.stringMatching(/; did you mean sys_tokens\?$/))],
  ],
  ['properties that are no object', { username: 'x', user_properties: 'a' }, [fault('user_properties')]],
  [
    'a team that does not exist',
    { username: 'x', teams: ['ops', 'hr'] },
    [fault('teams.1', 'Must be the short name of a team')],
  ],
])('checkLines finds %s', async (_what, value, errors) => {
  const [line, after] = await check('x.jsonl', `${JSON.stringify(value)}\n{"username":"bob"}`, ['ops']);
  const byField = (one: { field: string }, other: { field: string }) => one.field.localeCompare(other.field);
  expect(line?.errors.toSorted(byField)).toEqual(errors.toSorted(byField));
  expect(JSON.stringify(line?.errors)).not.toContain('secret');
  expect(after?.errors).toEqual([]);
});

test.each(['comma', 'semicolon', 'tab'] as const)(
  'checkLines accepts a download of accounts with a %s',
  async (separator) => {
    const fields = {
      ...FILLED_IN,
      username: 'ada',
      user_first_name: '=1;x',
      user_last_name: 'Größ',
      phonenumber: '-1',
      emailconfirmed: true,
      lockoutenabled: false,
    };
    const row = rowOf({
      ...fields,
      id: 'an id',
      isactive: true,
      kind: 'person',
      owner: null,
      islocked: false,
      lockoutending: null,
      lock_reason: null,
      lastActivity: '2026-01-01T00:00:00.000',
      created_at: '2026-01-01T00:00:00.000Z',
      cancelled_at: null,
      cancelled_by: null,
      app_names: ['crm', 'core'],
      role_names: ['clerk'],
      team_shorts: ['OPS', 'HR'],
    });
    const lines = [Object.keys(row), Object.values(row)].map((cells) => csvLine(cells, separator));
    const value = {
      ...fields,
      kind: 'person',
      apps: ['crm', 'core'],
      roles: ['clerk'],
      teams: ['OPS', 'HR'],
    };
    expect(await check('accounts.csv', `\ufeff${lines.join('')}`, ['ops', 'hr'])).toEqual([
      { line: 2, value, errors: [] },
    ]);
  },
);

test('checkLines finds a username of an earlier line, in any case', async () => {
  const lines = await check(
    'x.jsonl',
    ['Ada', 'bob', 'aDA', 'ada'].map((username) => JSON.stringify({ username })).join('\n'),
  );
  const repeats = [fault('username', 'Repeats line 1')];
  expect(lines.map(({ errors }) => errors)).toEqual([[], [], repeats, repeats]);
});

test('checkLines keeps the faults of lines that cannot be read, among the others', async () => {
  const lines = await check('x.jsonl', '{"username":"ada"}\n{\n{"username":"bob"}\n{"stamp":1}');
  expect(lines.map(({ line, errors }) => [line, errors])).toEqual([
    [1, []],
    [2, [fault('', expect.stringContaining('Must be JSON'))]],
    [3, []],
    [4, [fault('property 1', 'Is not a property of an account')]],
  ]);
});

test('checkLines finds no line in an empty file', async () => {
  expect(await check('x.jsonl', '')).toEqual([]);
});
