import { spawnSync } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import type { Command } from 'commander';
import { expect, test, vi } from 'vitest';
import { admin, newProgram } from '#infra/admin/program';
import { sheetRows } from '#lib/text/workbook';
import { type Exit, printedBy } from './printed-by.ts';

vi.stubEnv('FORCE_COLOR', '3');
vi.stubEnv('NO_COLOR', undefined);

const below = (command: Command): Command[] => [command, ...command.commands.flatMap(below)];

test('every command and every option has a description without a full stop', () => {
  const [program, ...commands] = below(newProgram());
  expect(program?.description()).toMatch(/ standard error\.$/);
  for (const command of commands) {
    const texts = [command.description(), ...command.options.map(({ description }) => description)];
    for (const text of texts) expect(text, command.name()).toMatch(/^([a-z]|[A-Z]{3}).*[^.]$/);
  }
});

// Linux has this full disk; elsewhere nothing is tested.
test.runIf(existsSync('/dev/full'))('a command whose output is lost exits with 1', () => {
  const stdio = ['ignore', openSync('/dev/full', 'w'), 'ignore'] as const;
  const command = ['infra/admin/main.ts', 'events', 'sample'];
  expect(spawnSync(process.execPath, command, { stdio: [...stdio] }).status).toBe(1);
  expect(spawnSync(process.execPath, command).status).toBe(0);
});

test.each([
  [[], 2, 'Usage: admin'],
  [['--help'], 0, 'Usage: admin'],
  [['account', 'create', '--help'], 0, '--stack <name>'],
  [['import', '--help'], 0, 'editor reviewer'],
  [['nonsense'], 2, '(see --help)'],
  [['account', 'create'], 2, "missing required argument 'username'"],
  [['account', 'show', 'ada', '--surprise'], 2, "unknown option '--surprise'"],
  [['account', 'password', 'ada'], 2, 'add --password-stdin'],
  [['account', 'create', 'ada', '--password'], 2, 'add --password-stdin'],
  [
    ['account', 'create', 'ada', '--role', 'r', '--role', 'sys_admin'],
    2,
    'sys_administrator, sys_tokens, sys_introspection',
  ],
  [['account', 'add', 'ada', '--role', 'SYS_tokens'], 2, 'SYS_tokens is not a role of the service'],
  [['account', 'add', 'ada', '--role', 'sys_admin'], 2, 'did you mean sys_administrator? --force accepts it'],
  [['account', 'add', 'ada'], 2, 'name at least one --role, --team or --app'],
  [['account', 'remove', 'ada'], 2, 'name at least one --role, --team or --app'],
  [['account', 'lockout', 'ada', 'maybe'], 2, 'Allowed choices are on, off'],
  [['account', 'list', '--state', 'lost'], 2, 'active, cancelled, locked'],
  [['team', 'create', 'x'], 2, "'--name <name>' not specified"],
  [['token', 'revoke'], 2, 'give --created-since <time>, --created-by <name> or both; or'],
  [['token', 'revoke', '--all'], 2, 'give --created-since'],
  [['token', 'revoke', 'ada'], 2, 'give --created-since'],
  [['token', 'revoke', 'ada', '--all', '--created-since', '1h'], 2, 'give --created-since'],
  [['token', 'revoke', 'ada', '--created-since', '1h'], 2, 'give --created-since'],
  [['token', 'revoke', 'ada', '--all', '--created-by', 'bob'], 2, 'give --created-since'],
  [['import', 'x', '--format', 'xml'], 2, 'Allowed choices are jsonl, csv, xlsx'],
  [['team', 'list', '--format', 'xml'], 2, 'Allowed choices are json, csv, xlsx'],
  [['team', 'list', '--format', 'xlsx', '--csv'], 2, 'name one form of the output'],
  [['team', 'list', '--format', 'json', '--separator', 'tab'], 2, 'cannot be used with'],
  [['export', '--format', 'xlsx'], 2, 'use account list --format xlsx'],
  [['audit', '--since', 'yesterday'], 2, 'ISO 8601, or an age: 30m, 24h, 7d'],
  [['account', 'lock', 'ada', '--until', 'later'], 2, 'ISO 8601, or a time ahead: 30m, 24h, 7d'],
  [['events', 'replay', '--since', '1h', '--rule', 'r'], 2, '--rule and --no-wait need --stack'],
  [['events', 'replay', '--since', '1h', '--no-wait'], 2, '--rule and --no-wait need --stack'],
  [['events', 'replay', '--since', '2026-11-20', '--until', '2026-11-20'], 2, '--until must be later'],
  [['events', 'replay', '--since', '1h', '--stack', 's'], 2, '--rule <name>'],
  [['events', 'replay', '--until', '1h'], 2, "'--since <time>' not specified"],
  [['events', 'sample', 'user_other'], 1, 'unknown_event: '],
  [['export', '--csv'], 2, 'export prints JSON lines only'],
  [['audit', '--target', 'a" || $.x = "b'], 2, 'cannot contain this name'],
  [['account', 'show', 'ada', '--region', 'eu-west-1'], 2, '--region needs --stack'],
  [['account', 'show', 'ada', '--data', 'x', '--stack', 's'], 2, "cannot be used with option '--data <dir>'"],
  [['keys', 'revoke'], 2, "missing required argument 'kid'"],
  [['account', 'show', 'ada', '--data', '/nowhere'], 1, 'unavailable: No local instance runs on /nowhere'],
])('admin %j exits with %i', async (args, code, words) => {
  const exit = await printedBy(() => admin(args));
  expect({ ...exit, code: exit.code }).toEqual({
    code,
    stdout: code === 0 ? expect.stringContaining(words) : '',
    stderr: code === 0 ? '' : expect.stringContaining(words),
  });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the beginning of a colour
  expect(exit.stdout + exit.stderr).not.toMatch(/\x1b/);
});

test('a workbook is printed to a file or a pipe, and refused for a terminal', async () => {
  const command = ['events', 'sample', '--format', 'xlsx'];
  const { code, stdout } = await printedBy(() => admin(command));
  const rows: (readonly string[])[] = [];
  for await (const { cells } of sheetRows(Buffer.from(stdout, 'latin1'))) rows.push(cells);
  expect([code, rows.length, rows[0]]).toEqual([0, 2, expect.arrayContaining(['detail-type', 'detail'])]);
  const isTTY = process.stdout.isTTY;
  process.stdout.isTTY = true;
  const refused = await printedBy(() => admin(command));
  process.stdout.isTTY = isTTY;
  expect(refused).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('redirect it to a file'),
  });
});

test('--format json and csv print the same as --json and --csv', async () => {
  const printed = (...options: string[]) => printedBy(() => admin(['events', 'sample', ...options]));
  const shapeOf = ({ stdout }: Exit) => stdout.replace(/[\da-f-]{20,}|\d{4}-[\dT:.Z-]+/g, '');
  for (const form of ['json', 'csv'])
    expect(shapeOf(await printed('--format', form))).toBe(shapeOf(await printed(`--${form}`)));
});
