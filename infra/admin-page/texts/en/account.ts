import { type Said, said } from '../../said.ts';

/** The page of one account. */
export const account = {
  parts: 'Parts of the account',
  profile: 'Profile',
  access: 'Access',
  tokens: 'Tokens',
  sessions: 'Sessions',
  history: 'History',
  trusts: 'Trusts',
  search: 'Search people',
  more: 'More actions',

  kind: 'Kind',
  machine: 'Machine',
  owner: 'Owner',
  lastActive: 'Last active',
  created: 'Created',
  roles: 'Roles',
  teams: 'Teams',
  apps: 'Applications',
  answersFor: 'Answers for',
  code: 'One-time code',
  codeOf: (created: Said, by: Said, ends: Said): Said => said`created ${created} by ${by}, ends ${ends}`,
  details: 'Details',
  id: 'ID of the account',
  username: 'Username',

  canLogIn: 'Can log in.',
  canSignIn: 'Can sign in.',
  neverIn: 'Can log in, and has never done so.',
  neverMachine: 'Has never signed in.',
  noPassword: 'Has no password yet: a one-time code sets one.',
  invited: (until: Said): Said => said`Can set a password with the one-time code until ${until}.`,
  codeLost: 'Is the code lost? A new one replaces it.',
  codeEnded: (at: Said): Said =>
    said`Cannot log in: there is no password, and the one-time code ended on ${at}.`,
  newCode: 'New code',
  blocked: 'Cannot log in',
  attempts: (since: Said, until: Said): Said =>
    said`since ${since}: too many failed attempts, until ${until}.`,
  attemptsFromAddress: (since: Said, until: Said): Said =>
    said`since ${since}: too many failed attempts from one address, until ${until}.`,
  blockedHelp: 'Wait until then, or create a one-time code: it works all the same.',
  by: (by: Said, since: Said): Said => said`by ${by} since ${since} `,
  operator: 'an operator',
  until: (time: Said): Said => said`until ${time}`,
  /** @param isNext whether it follows who locked it */
  untilUnlocked: (_isNext: boolean) => 'until someone unlocks it',
  reason: (text: Said): Said => said`: ${text}`,
  cancelled: (when: Said): Said => said`${when}`,
  cancelledBy: (when: Said, by: Said): Said => said`${when} by ${by}`,

  change: 'Change access',
  changeAsk: (name: Said): Said => said`Change the access of ${name}?`,
  unchanged: 'Nothing is changed yet. Add or remove a role, a team or an application, or go back.',
  added: 'added',
  removed: 'removed',
  accessChanged: (name: Said, what: Said): Said => said`Access of ${name} changed: ${what}.`,
  accessBack: (name: Said): Said => said`Access of ${name} is as before.`,
  undo: 'Undo',

  createCode: 'Create one-time code',
  codeFor: (name: Said): Said => said`One-time code for ${name}`,
  createCodeAsk: (name: Said): Said => said`Create a one-time code for ${name}?`,
  createCodeText: 'With it, the person sets a new password and logs in. A new code replaces an earlier one.',
  passkeys: 'Passkeys of the person',
  passkeysKeep: 'stay',
  passkeysEnd: 'all end when the code is used',
  passkeysHint: 'End them if someone else may have created one. The person then creates new ones.',
  codeDone: (name: Said, hours: number, endsPasskeys: boolean): Said =>
    said`The code of ${name} works once, within ${hours === 1 ? 'an hour' : `${hours} hours`}.${endsPasskeys ? ' Its use ends all passkeys of the account.' : ''}`,

  reactivate: 'Reactivate',
  reactivateAsk: (name: Said): Said => said`Reactivate ${name}?`,
  reactivatePerson: 'The person can log in again. Sessions and one-time codes stay ended.',
  reactivateMachine: 'It can sign in again by its trusts. Its sessions stay ended.',
  itsTokens: 'API tokens',
  choose: 'Choose…',
  tokensRevoke: 'are deleted',
  tokensKeep: 'work again',
  passkeysWork: 'work again',
  passkeysAllEnd: 'all end',
  reactivatedPerson: (name: Said): Said =>
    said`${name} is reactivated and can log in again. Without a password, create a one-time code.`,
  reactivatedMachine: (name: Said): Said => said`${name} is reactivated and can sign in again.`,

  changeLock: 'Change lock',
  changeLockAsk: (name: Said): Said => said`Change the lock of ${name}?`,
  changeLockText: 'The lock gets this reason and end.',
  locked: (name: Said): Said =>
    said`${name} is locked: no login and no token works. All sessions and an open one-time code have ended.`,

  needOwners: (machines: Said): Said => said`${machines} work on, and need another owner.`,
  cancelApps: 'Applications that may delete the data: ',
  cancelDone: (name: Said): Said =>
    said`${name} is cancelled: nobody can log in, and an open one-time code has ended. “Reactivate” takes it back until applications delete the data.`,

  erase: 'Erase for good',
  eraseAsk: (name: Said): Said => said`Erase ${name} for good?`,
  erasePerson:
    'Everything about the person is deleted: profile, access, passkeys and API tokens. Activity calls the person erased. Applications are told to delete what they have. Nobody can take it back, and nobody gets the username again.',
  eraseMachine:
    'Everything about the machine is deleted: profile, access, trusts and API tokens. Activity calls the machine erased. Applications are told to delete what they have. Nobody can take it back, and nobody gets the username again.',
  eraseEarly: (from: Said): Said =>
    said`It can be erased from ${from} on. Until then, “Reactivate” takes a cancellation back that nobody wanted.`,
  eraseId: (id: Said): Said => said`ID of the account, for the proof of erasure that you get then: ${id}`,
  eraseHint: 'Download the data first if the person may ask for it.',
  eraseDone: 'The account is erased, and applications were told to delete what they have.',

  historyNew: 'What you just did appears here within a minute.',
  historyEmpty: 'Nothing has happened to this account yet.',
};
