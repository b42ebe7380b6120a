import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { askPassword, confirm, passwordFrom } from '#infra/admin/terminal/ask';
import { printedBy } from './printed-by.ts';

/** A terminal on which these keys are typed, one after the other. */
async function typing<T>(
  keys: string,
  command: (terminal: Parameters<typeof askPassword>[0] & object) => Promise<T>,
) {
  const [input, output] = [Object.assign(new PassThrough(), { isTTY: true }), new PassThrough()];
  const answer = command({ input, output }).catch((error: Error) => error.name);
  for (const key of keys) {
    input.write(key);
    await new Promise(setImmediate);
  }
  input.end();
  return { answer: await answer, shown: stripVTControlCharacters(String(output.read() ?? '')) };
}

test.each([
  ['the password as it is', ' pass word \r pass word \r', ' pass word ', 2],
  ['a corrected password', 'secres\x7ft\rsecret\r', 'secret', 2],
  ['password_differs', 'secret\rsecrets\r', 'password_differs', 2],
  ['no_password for an empty one', '\r', 'no_password', 1],
  ['no_password for an empty repetition', 'secret\r\r', 'no_password', 2],
  ['no_password after Ctrl-C', 'sec\x03', 'no_password', 1],
  ['no_password after Ctrl-D', '\x04', 'no_password', 1],
])('askPassword answers %s and shows nothing of it', async (_what, keys, expected, questions) => {
  const { answer, shown } = await typing(keys, askPassword);
  expect({ answer, shown }).toEqual({
    answer: expected,
    shown: ['Password: \n', 'Repeat: \n'].slice(0, questions).join(''),
  });
});

test.each([
  ['goes on after yes', ' YES \r', undefined],
  ['refuses after y', 'y\r', 'not_confirmed'],
  ['refuses after Ctrl-D', '\x04', 'not_confirmed'],
  ['refuses an unfinished line where the terminal ends', 'yes', 'not_confirmed'],
])('confirm %s', async (_what, keys, expected) => {
  let answered: { answer: unknown; shown: string } | undefined;
  const { stderr } = await printedBy(async () => {
    answered = await typing(keys, (terminal) => confirm('All of it goes.', false, terminal));
    return 0;
  });
  expect(stderr).toBe('All of it goes.\n');
  expect(answered?.answer).toBe(expected);
  expect(answered?.shown).toContain('Go on? (yes or no)');
});

test('passwordFrom drops one final newline, keeps a byte order mark, and refuses all encodings except UTF-8', () => {
  const answers = [' pass word \n', 'a\r\n\r\n', '\ufeffa'].map((text) => passwordFrom(Buffer.from(text)));
  expect(answers).toEqual([' pass word ', 'a\r\n', '\ufeffa']);
  expect(() => passwordFrom(Buffer.from([0xff]))).toThrow(
    expect.objectContaining({ errors: [{ field: 'password', message: 'Must be UTF-8' }] }),
  );
});
