import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Refusal } from '../refusal.ts';

/** A terminal: standard input and standard error, except in tests. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

const here = (): Terminal => ({ input: process.stdin, output: process.stderr });

/** The answer to a question; empty where the terminal ends. */
const answerTo = (terminal: Interface, question: string): Promise<string> =>
  Promise.race([terminal.question(question), once(terminal, 'close').then(() => '')]).catch(() => '');

/**
 * Prompts for a new password, twice, and shows nothing of it.
 *
 * @throws Refusal `password_differs`, `no_password` where the terminal ends
 */
export async function askPassword({ input, output } = here()): Promise<string> {
  const nowhere = new Writable({ write: (_text, _encoding, done) => done() });
  const terminal = createInterface({ input, output: nowhere, terminal: true, historySize: 0 });
  const answers: string[] = [];
  for (const question of ['Password: ', 'Repeat: ']) {
    output.write(question);
    answers.push(await answerTo(terminal, ''));
    output.write('\n');
    if (answers.includes('')) break;
  }
  terminal.close();
  const [password, repeated] = answers;
  if (!password || !repeated) throw new Refusal('no_password', 'No password was given');
  if (password !== repeated) throw new Refusal('password_differs', 'The two passwords differ');
  return password;
}

/**
 * Describes what a command is about to do, and asks whether it may.
 *
 * @param yes the options allow it
 * @throws Refusal `not_confirmed`, also where there is no terminal
 */
export async function confirm(consequence: string, yes = false, { input, output } = here()): Promise<void> {
  console.error(consequence);
  if (yes) return;
  if (!input.isTTY) throw new Refusal('not_confirmed', 'There is no terminal to confirm on: add --yes');
  const terminal = createInterface({ input, output });
  const answer = await answerTo(terminal, 'Go on? (yes or no) ');
  terminal.close();
  if (answer.trim().toLowerCase() !== 'yes') throw new Refusal('not_confirmed', 'Nothing was changed');
}
