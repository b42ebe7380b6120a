import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { read } from 'read';
import { invalid } from '#lib/failure/failure';
import type { Settings } from '#lib/instance/settings';
import { refuseCommon } from '#lib/password/blocklist';
import { type Named, refuseGuessable } from '#lib/password/guessable';
import { newPassword } from '#lib/password/hash';
import { Refusal } from '../refusal.ts';

/** A terminal: standard input and standard error, except in tests. */
export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

const here = (): Terminal => ({ input: process.stdin, output: process.stderr });

/** The answer to a question; empty after Ctrl-C, Ctrl-D and the end of the input. */
async function answerTo(terminal: Terminal, prompt: string, silent = false): Promise<string> {
  // After Ctrl-D, `read` only pauses its input; at the end of the input, it answers an unfinished line.
  const ended = once(terminal.input, 'pause').then(() => setImmediate(''));
  const answers = [read({ ...terminal, prompt, silent, terminal: true }), ended];
  const answer = await Promise.race(answers).catch(() => '');
  if (silent) terminal.output.write('\n');
  return terminal.input.readableEnded ? '' : answer;
}

/** Prompts for a new password twice, without echo. @throws Refusal `password_differs`, `no_password` */
export async function askPassword(terminal = here()): Promise<string> {
  const password = await answerTo(terminal, 'Password:', true);
  const repeated = password && (await answerTo(terminal, 'Repeat:', true));
  if (!repeated) throw new Refusal('no_password', 'No password was given');
  if (password !== repeated) throw new Refusal('password_differs', 'The two passwords differ');
  return password;
}

/** Describes what a command will change, and prompts for a confirmation without `--yes`. @throws Refusal `not_confirmed` */
export async function confirm(consequence: string, yes = false, terminal = here()): Promise<void> {
  console.error(consequence);
  if (yes) return;
  if (!terminal.input.isTTY)
    throw new Refusal('not_confirmed', 'There is no terminal to confirm on: add --yes');
  const answer = await answerTo(terminal, 'Go on? (yes or no)');
  if (answer.trim().toLowerCase() !== 'yes') throw new Refusal('not_confirmed', 'Nothing was changed');
}

export interface PasswordOptions {
  readonly password?: true;
  readonly passwordStdin?: true;
}

/** The fault of a command that would prompt without a terminal. */
export const canRead = ({ passwordStdin }: PasswordOptions): string | undefined =>
  passwordStdin || process.stdin.isTTY
    ? undefined
    : 'there is no terminal to prompt for the password: add --password-stdin';

/**
 * The password of a command, for an account with these names.
 *
 * @throws Failure `invalid_request`, Refusal as {@link askPassword}
 */
export async function passwordOf(
  { passwordStdin }: PasswordOptions,
  named: Named,
  { OwnerName }: Pick<Settings, 'OwnerName'>,
): Promise<string> {
  const password = passwordStdin ? passwordFrom(await buffer(process.stdin)) : await askPassword();
  await refuseCommon(password, 'password');
  await refuseGuessable(newPassword(password, named.username), named, OwnerName, 'password');
  return password;
}

/** The text without one final newline. @throws Failure `invalid_request` where it is not UTF-8 */
export function passwordFrom(bytes: Buffer): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.replace(/\r?\n$/, '');
  } catch {
    throw invalid('password', 'Must be UTF-8');
  }
}
