import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { askPassword } from '#infra/admin/terminal/ask-password';

/** What becomes of what is typed, and what is shown meanwhile. */
async function typing(keys: string) {
  const input = new PassThrough();
  let shown = '';
  const write = (text: string) => {
    shown += text;
    return true;
  };
  const answer = askPassword(input, { write } as never).catch((error: Error) => error.name);
  for (const key of keys) {
    input.write(key);
    await new Promise(setImmediate);
  }
  return { answer: await answer, shown };
}

test.each([
  ['the password, as it is', ' pass word \r pass word \r', ' pass word '],
  ['one that was corrected', 'secres\x7ft\rsecret\r', 'secret'],
  ['password_differs', 'secret\rsecrets\r', 'password_differs'],
  ['no_password for an empty one', '\r', 'no_password'],
  ['no_password where the terminal ends', 'sec\x04\x03', 'no_password'],
])('asking answers %s, and shows nothing of it', async (_what, keys, expected) => {
  const { answer, shown } = await typing(keys);
  expect(answer).toBe(expected);
  expect(shown.replace('Password: \n', '').replace('Once more: \n', '')).toBe('');
});
