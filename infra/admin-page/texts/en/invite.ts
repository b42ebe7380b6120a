import { type Said, said } from '../../said.ts';

export const invite = {
  title: 'Invite',
  note: 'Creates an account, and a one-time code with which its owner sets a password.',
  submit: 'Invite',
  example: 'anna.keller',
  usernameHint: 'They log in with it. It cannot be changed.',
  more: 'More',
  noCode: 'no code: only API tokens use the account',
  invited: (name: Said) => said`${name} is invited. They can log in once they have set a password.`,
  created: (name: Said) =>
    said`The account of ${name} is created. No one can log in to it until you create a one-time code.`,
};
