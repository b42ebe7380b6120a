import { buffer } from 'node:stream/consumers';
import { invalid } from '#lib/failure';
import { askPassword } from './ask.ts';

/** Where a password comes from: a prompt, or standard input. */
export interface PasswordOptions {
  readonly password?: true;
  readonly passwordStdin?: true;
}

/** The fault of a command that would prompt without a terminal. */
export const canRead = ({ passwordStdin }: PasswordOptions): string | undefined =>
  passwordStdin || process.stdin.isTTY
    ? undefined
    : 'there is no terminal to prompt for the password: add --password-stdin';

/** The password of a command. @throws Failure `invalid_request`, Refusal as {@link askPassword} */
export const passwordOf = async ({ passwordStdin }: PasswordOptions): Promise<string> =>
  passwordStdin ? passwordFrom(await buffer(process.stdin)) : askPassword();

/** The text without one final newline. @throws Failure `invalid_request` where it is not UTF-8 */
export function passwordFrom(bytes: Buffer): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.replace(/\r?\n$/, '');
  } catch {
    throw invalid('password', 'Must be UTF-8');
  }
}
