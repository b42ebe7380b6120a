import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MENDS } from '../thief/mends.ts';
import { newFolder } from '../unit/support/folder.ts';

/** Starts whose attacks join most features, as texts of their titles. */
const DAILY = [
  'a session of level 1 of a person with `sys_tokens` with a passkey,`offered`',
  'a password of a person without a passkey,`offered`',
  'moved,of a person with a passkey,`administrators`',
  '`account.lock` over',
  'a password of an administrator with a passkey,`administrators without tokens`',
];

/** Runs the search; resolves to its exit status and its output. */
const thief = (starts: readonly string[], ...options: readonly string[]) =>
  new Promise<{ readonly code: number; readonly output: string }>((resolve) => {
    const args = ['test/thief/main.ts', ...starts.flatMap((start) => ['--start', start]), ...options];
    execFile(process.execPath, args, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr }),
    );
  });

test('a thief finds no path that the page does not have, and no secret that outlives its end', async () => {
  const { code, output } = await thief(DAILY, '--minutes', '6');
  expect(code, output).toBe(0);
  console.log(output.trim().split('\n').at(-1));
});

describe('a thief finds', () => {
  test('a planted fault, and prints its steps in words', async () => {
    const file = join(newFolder(), 'faults.json');
    const fault = {
      file: 'lib/token/create-own.contract.ts',
      find: "access: { role: 'sys_tokens' }",
      replace: "access: 'authenticated'",
    };
    writeFileSync(file, JSON.stringify([fault]));
    const start = 'a session of level 1 of a person with a passkey,`offered`';
    const { code, output } = await thief([start], '--minutes', '1', '--ends', '0', '--fault', file);
    expect(code, output).toBe(1);
    expect(output).toMatch(
      /NEW PATH .*token\.create-own about owner\n +1\. token\.create-own x with the session of owner/,
    );
  });

  test.each(Object.entries(MENDS))(
    'the attack that the mend %s prevents, once it is taken out',
    async (name, { start, finding }) => {
      const { code, output } = await thief([start], '--minutes', '2', '--without', name);
      expect(code, output).toBe(1);
      expect(output).toMatch(finding);
    },
  );
});
