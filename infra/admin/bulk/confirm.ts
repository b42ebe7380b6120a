import { createInterface } from 'node:readline/promises';
import { Refusal } from '../run.ts';

/**
 * Says what a command is about to do, and goes on once it may.
 *
 * @param yes it may, as the options say
 * @throws Refusal `not_confirmed` where somebody says no, or nobody is there to ask
 */
export async function confirm(what: string, yes = false): Promise<void> {
  console.error(what);
  if (yes) return;
  if (!process.stdin.isTTY)
    throw new Refusal('not_confirmed', 'Nobody is there to ask: add --yes to have it done');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Where the terminal ends, the question has no answer.
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const answer = await Promise.race([terminal.question('Go on? (yes or no) '), closed]);
  terminal.close();
  if (answer.trim().toLowerCase() !== 'yes') throw new Refusal('not_confirmed', 'Nothing has been done');
}
