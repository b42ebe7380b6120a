import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Refusal } from '../refusal.ts';

/** A terminal: standard input and standard error, except in tests. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

const HERE: Terminal = { input: process.stdin, output: process.stderr };

/** Asks questions one after the other, without an echo of the answers; they are empty where the terminal ends. */
async function askHidden({ input, output }: Terminal, questions: readonly string[]): Promise<string[]> {
  const nowhere = new Writable({ write: (_text, _encoding, done) => done() });
  const terminal = createInterface({ input, output: nowhere, terminal: true, historySize: 0 });
  const closed = once(terminal, 'close').then(() => '');
  const answers: string[] = [];
  for (const question of questions) {
    output.write(question);
    answers.push(await Promise.race([terminal.question(''), closed]));
    output.write('\n');
    if (!answers.at(-1)) break;
  }
  terminal.close();
  return answers;
}

/**
 * Prompts for a new password, twice, and shows nothing of it.
 *
 * @throws Refusal `password_differs`, `no_password` where the terminal ends
 */
export async function askPassword(terminal: Terminal = HERE): Promise<string> {
  const [password, repeated] = await askHidden(terminal, ['Password: ', 'Repeat: ']);
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
export async function confirm(
  consequence: string,
  yes = false,
  { input, output }: Terminal = HERE,
): Promise<void> {
  console.error(consequence);
  if (yes) return;
  if (!input.isTTY) throw new Refusal('not_confirmed', 'There is no terminal to confirm on: add --yes');
  const terminal = createInterface({ input, output });
  const closed = once(terminal, 'close').then(() => '');
  const answer = await Promise.race([terminal.question('Go on? (yes or no) '), closed]);
  terminal.close();
  if (answer.trim().toLowerCase() !== 'yes') throw new Refusal('not_confirmed', 'Nothing was changed');
}
