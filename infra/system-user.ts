import { userInfo } from 'node:os';
import { foldCase } from '#lib/text/fold-case';

/** The user of the operating system; in a container it may have a number only. */
export function systemUser(): string {
  try {
    return foldCase(userInfo().username);
  } catch {
    return String(process.getuid?.());
  }
}
