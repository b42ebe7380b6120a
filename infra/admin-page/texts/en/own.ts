import { type Said, said } from '../../said.ts';

/** The screen of one's own account, and its lists of sessions and passkeys, which others' accounts have, too. */
export const own = {
  title: 'Your account',
  forAdministrators: 'That address is for administrators. This is your own account.',
  access: 'Access',
  roles: 'Roles',
  teams: 'Teams',
  applications: 'Applications',
  changedByAdministrators: 'An administrator can change your roles, teams and applications.',
  passkeyText:
    'A passkey logs you in with your fingerprint, face or PIN: there is nothing to remember, and no false page can steal it.',
  unknownSession: 'You do not know one of them? End it, then change your password.',
  tokensRole: (role: string) =>
    `Programs use API tokens to work for you. To create one, ask an administrator for the role “${role}”.`,
  logOutEverywhere: 'Log out everywhere',
  logOutEverywhereAsk: 'Log out on all devices?',
  logOutEverywhereText:
    'All of your sessions end, also this one and those on other devices. API tokens stay valid.',

  sessions: 'Sessions',
  noSessions: 'No open session. A login opens one.',
  program: 'Program',
  address: 'Address',
  began: 'Began',
  ends: 'Ends',
  openedWith: 'Opened with',
  thisBrowser: 'this browser',
  /** A browser and its system. */
  programOn: (program: string, system: string) => `${program} on ${system}`,
  unknownProgram: 'unknown',
  userAgent: 'User agent',
  byPassword: 'Password',
  byPasskey: (name: Said) => said`Passkey ${name}`,
  byTrust: (name: Said) => said`Trust ${name}`,
  byToken: (name: Said) => said`API token ${name}`,
  endSession: 'End session',
  endSessionAsk: (program: Said) => said`End the session in ${program}?`,
  endSessionAskHere: 'End the session of this browser?',
  endHere: 'You will be logged out: it is the session of this browser. Your other sessions stay as they are.',
  endThere: 'Its next request is refused. The account and its other sessions stay as they are.',
  sessionEnded: (name: Said) => said`A session of ${name} is ended: its next request is refused.`,

  passkeys: 'Passkeys',
  passkey: 'Passkey',
  created: 'Created',
  lastUsed: 'Last used',
  synced: 'Synced',
  elsewhere: (domain: Said) => said` works at ${domain} only, not here`,
  fallen: (time: Said) =>
    said`Refused since ${time}: its counter fell back. The device was reset, or somebody has a copy of it. Remove the passkey, and create it again.`,
  onSeveral: 'Yes, on several devices',
  notYet: 'Not yet',
  onOne: 'No, on one device',
  thisDevice: 'This device',
  createPasskey: 'Create passkey',
  createText: 'Your browser asks where to keep it: on this device, on a phone or on a security key.',
  name: 'Name',
  namePattern: (most: number) => `At most ${most} characters, without / and \\`,
  nameHint: 'By which you will know its device, such as “Anna’s iPhone”.',
  nameInUse: 'You have a passkey with this name. Choose another.',
  nameRefused: 'A passkey cannot have this name. Choose another.',
  passkeyCreated: (name: Said) =>
    said`The passkey ${name} is created. Next time, log in with it instead of your password.`,
  atAddress: (host: string, link: Said) =>
    said`Passkeys work at a name, not at the address ${host}. Use ${link}.`,
  thisPageAtLocalhost: 'this page at localhost',
  noPasskeysHere: 'This browser has no passkeys. Use a current one to create one.',
  removePasskey: 'Remove passkey',
  removeOwnAsk: (name: Said) => said`Remove your passkey ${name}?`,
  removeAsk: (name: Said, owner: Said) => said`Remove the passkey ${name} of ${owner}?`,
  removeOwnText:
    'It logs nobody in any more, and the sessions that it opened end, maybe this one, too. Other sessions stay.',
  removeText:
    'It logs nobody in any more, and the sessions that it opened end. Is the device lost? End its other sessions in Sessions, too. The person logs in with the password or a one-time code, and creates another passkey.',
  ownRemoved: (name: Said) =>
    said`The passkey ${name} is removed, and its sessions have ended. Its device may still show it: delete it there, too.`,
  removed: (name: Said, owner: Said) =>
    said`The passkey ${name} of ${owner} is removed, and its sessions have ended.`,
  noOwnPasskeys: 'No passkey yet. Create one for each of your devices.',
  noPasskeys: 'No passkey. Only its owner can create one.',
};
