import { execFileSync } from 'node:child_process';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { completionScript, wordsOf } from '#infra/admin/terminal/completion';

function program(): Command {
  const admin = new Command('admin').option('--json', 'as JSON').option('--data <dir>', 'where');
  const account = admin.command('account');
  account.command('create <username>').option('--app <name>', 'which').option('--force', 'all the same');
  account.command('cancel <username>').option('--yes', 'do not ask');
  admin.command('audit');
  return admin;
}

test('every command has its words', () => {
  expect(wordsOf(program())).toEqual([
    { path: '', commands: ['account', 'audit'], options: ['--json', '--data', '--help'] },
    { path: 'account', commands: ['create', 'cancel'], options: ['--help'] },
    { path: 'account create', commands: [], options: ['--app', '--force', '--help'] },
    { path: 'account cancel', commands: [], options: ['--yes', '--help'] },
    { path: 'audit', commands: [], options: ['--help'] },
  ]);
});

test.each([
  ['a command', ['a'], 'account audit'],
  ['a command below it', ['account', 'c'], 'create cancel'],
  ['an option', ['account', 'create', 'ada', '--f'], '--force'],
  ['an option of the program', ['account', 'cancel', '--j'], '--json'],
  ['after an option with a value', ['--data', 'account', 'au'], 'audit'],
  ['nothing', ['account', 'x'], ''],
])('bash completes %s', (_what, typed, expected) => {
  const words = ['admin', ...typed].map((word) => `"${word}"`).join(' ');
  const ask = `COMP_WORDS=(${words}); COMP_CWORD=${typed.length}; _admin; echo "\${COMPREPLY[*]}"`;
  const script = `${completionScript(program(), 'bash')}\n${ask}`;
  expect(execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' }).trim()).toBe(expected);
});

test('zsh is told what it is told in bash, and fish a line a command', () => {
  expect(completionScript(program(), 'zsh')).toBe(
    `autoload -U +X bashcompinit && bashcompinit\n${completionScript(program(), 'bash')}`,
  );
  const lines = completionScript(program(), 'fish').split('\n');
  expect(lines).toContain(
    `complete -c admin -n 'test "$(__admin_at)" = "account cancel"' -a "--yes --help --json --data"`,
  );
});
