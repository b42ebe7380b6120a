import type { Command } from 'commander';
import { invalid } from '#lib/failure';
import { askPassword } from './ask-password.ts';

/** Where a password comes from. */
export interface PasswordOptions {
  /** It is asked for, unseen. */
  readonly password?: true;
  readonly passwordStdin?: true;
}

/** The password that the options lead to. */
export const passwordOf = ({ passwordStdin }: PasswordOptions): Promise<string> =>
  passwordStdin ? passwordFromStdin() : askPassword();

/**
 * Refuses a command that is to ask for a password where nobody is there to ask.
 *
 * @param asks whether it is to ask, unless the password stands on standard input
 */
export const withPassword =
  <Options extends PasswordOptions>(
    action: (username: string, options: Options, command: Command) => Promise<void>,
    asks: (options: Options) => boolean = () => true,
  ) =>
  (username: string, options: Options, command: Command) => {
    if (asks(options) && !options.passwordStdin && !process.stdin.isTTY)
      command.error('error: nobody is there to ask for the password: add --password-stdin');
    return action(username, options, command);
  };

/**
 * Reads a password from standard input, without one final newline.
 *
 * @throws Failure `invalid_request` where it is not UTF-8
 */
async function passwordFromStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
    return text.replace(/\r?\n$/, '');
  } catch {
    throw invalid('password', 'Must be UTF-8');
  }
}
