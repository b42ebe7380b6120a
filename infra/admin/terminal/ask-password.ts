import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Refusal } from '../run.ts';

type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean };

/**
 * Asks on a terminal for a new password, twice, and shows nothing of what is typed.
 *
 * @throws Refusal `password_differs`, `no_password` where the terminal ends
 */
export async function askPassword(
  input: Input = process.stdin,
  output: Pick<NodeJS.WriteStream, 'write'> = process.stderr,
): Promise<string> {
  // With a terminal, readline has it echo nothing, and echoes itself, to nowhere.
  const nowhere = new Writable({ write: (_text, _encoding, done) => done() });
  const terminal = createInterface({ input, output: nowhere, terminal: true, historySize: 0 });
  const closed = new Promise<undefined>((resolve) => terminal.once('close', () => resolve(undefined)));
  const ask = async (question: string) => {
    output.write(question);
    const answer = await Promise.race([terminal.question(''), closed]);
    output.write('\n');
    if (!answer) throw new Refusal('no_password', 'No password was given');
    return answer;
  };
  try {
    const password = await ask('Password: ');
    if ((await ask('Once more: ')) !== password)
      throw new Refusal('password_differs', 'The two are not the same');
    return password;
  } finally {
    terminal.close();
  }
}
