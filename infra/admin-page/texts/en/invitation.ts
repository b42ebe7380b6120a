import { number } from '../../locale.ts';
import { type Said, said } from '../../said.ts';

interface Message {
  readonly name: string;
  /** Name of the organisation. */
  readonly owner: string;
  readonly address: string;
  readonly username: string;
  readonly code: string;
  readonly end: string;
}

/** One-time codes, and how people get them. */
export const invitation = {
  code: 'One-time code',
  next: 'What is next',
  give: (name: Said) => said`Give the code to ${name} and to no one else: who has it can set the password.`,
  address: (link: Said) => said`With it, they set a password at ${link}`,
  end: (end: string) =>
    `The code works once, until ${end}. After that, create another one on the screen of the account.`,
  copy: 'Copy as a message',
  message: ({ name, owner, address, username, code, end }: Message) =>
    `${name}, set your password for ${owner}:\n${address}\nUsername: ${username}\nOne-time code: ${code}\nThe code works once, until ${end}.`,
  giveAll: (link: Said) =>
    said`Give each code to its owner and to no one else: with it, they set a password at ${link}. Each works once.`,
  once: 'The codes are shown only here: copy or download them before you close this.',
  copyAll: 'Copy all as messages',
  copied: (n: number) => `${number(n)} copied`,
  cannotCopy: 'The browser cannot copy: download the codes.',
  download: 'Download codes',
  format: 'Format',
  file: 'codes',
  loss: 'You have neither copied nor downloaded the codes. Nobody can show them again.',
};
