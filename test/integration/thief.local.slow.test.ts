import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MENDS } from '../thief/mends.ts';
import { newFolder } from '../unit/support/folder.ts';

/** Starts whose attacks join most features, as texts of their titles. Each is searched to its end, so no clock decides. */
const DAILY = [
  'a session of level 1 of a person with `sys_tokens` with a passkey,`offered`',
  'a password of a person without a passkey,`offered`',
  'moved,of a person with a passkey,`administrators`',
  '`account.lock` over',
  'of a machine,`offered`',
  'a token for another service of a person with a passkey,`offered`',
];

/** Ten times what the starts take, so that no machine is too slow: a search that does not end is incomplete, which fails. */
const MINUTES = 20;
const LIMIT = { timeout: (2 * MINUTES + 1) * 60_000 };

/** Runs the search; resolves to its exit status and its output. */
const thief = (starts: readonly string[], ...options: readonly string[]) =>
  new Promise<{ readonly code: number; readonly output: string }>((resolve) => {
    const args = ['test/thief/main.ts', ...starts.flatMap((start) => ['--start', start]), ...options];
    execFile(process.execPath, args, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr }),
    );
  });

test(
  'a thief finds no path that the page does not have, and no secret that outlives its end',
  LIMIT,
  async () => {
    const { code, output } = await thief(DAILY, '--width', '1', '--minutes', String(MINUTES));
    expect(code, output).toBe(0);
    expect(output, 'a search was not complete').toContain('"incomplete":0,');
    console.log(output.trim().split('\n').at(-1));
  },
);

describe('a thief finds', () => {
  test('a planted fault, and prints its steps in words', LIMIT, async () => {
    const file = join(newFolder(), 'faults.json');
    const fault = {
      file: 'lib/token/create-own.contract.ts',
      find: "access: { role: 'sys_tokens' }",
      replace: "access: 'authenticated'",
    };
    writeFileSync(file, JSON.stringify([fault]));
    const start = 'a session of level 1 of a person without a passkey,`offered`';
    const { code, output } = await thief(
      [start],
      '--minutes',
      String(MINUTES),
      '--ends',
      '0',
      '--depth',
      '1',
      '--fault',
      file,
    );
    expect(code, output).toBe(1);
    expect(output).toMatch(
      /NEW PATH .*token\.create-own about owner\n +1\. token\.create-own x with the session of owner/,
    );
  });

  test.each(Object.entries(MENDS))(
    'the attack that the mend %s prevents, once it is taken out',
    LIMIT,
    async (name, { start, options = [], finding }) => {
      const args = [...options, '--minutes', String(MINUTES)];
      const { output: before } = await thief([start], ...args);
      expect(before).toContain('"starts":2,');
      expect(before).not.toMatch(finding);
      const { code, output } = await thief([start], ...args, '--without', name);
      expect(code, output).toBe(1);
      expect(output).toMatch(finding);
    },
  );
});
