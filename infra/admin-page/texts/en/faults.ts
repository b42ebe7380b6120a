import type { FaultKind } from '../../fault-kinds.ts';

/** A text of a fault, with the groups of its message. */
type Fault = (one: string, other: string) => string;

const of: Readonly<Record<FaultKind, Fault>> = {
  required: () => 'Is required',
  invalid: () => 'Is not valid',
  number: () => 'Must be a number',
  wholeNumber: () => 'Must be a whole number',
  atLeast: (least) => `Must be at least ${least}`,
  atMost: (most) => `Must be at most ${most}`,
  tooShort: (least) => `Must have at least ${least} ${least === '1' ? 'character' : 'characters'}`,
  tooLong: (most) => `Must have at most ${most} ${most === '1' ? 'character' : 'characters'}`,
  tooFew: (least) => `Must have at least ${least} ${least === '1' ? 'entry' : 'entries'}`,
  tooMany: (most) => `Must have at most ${most} ${most === '1' ? 'entry' : 'entries'}`,
  letters: (most, others) => `Must be 1 to ${most} letters, digits or ${others}`,
  lettersFirst: (most, others) =>
    `Must be 1 to ${most} letters, digits or ${others}, the first a letter or digit`,
  slug: (most) => `Must be 1 to ${most} of a-z, 0-9, _ and -, the first a letter`,
  hyphens: () => 'Must consist of a-z and 0-9, with single hyphens in between',
  visible: (most) => `Must be 1 to ${most} characters, one of them visible, without / and \\`,
  ascii: () => 'Must be letters, digits and signs without accents or spaces',
  space: () => 'Must not be empty, or have spaces around it',
  control: () => 'Must not have control characters, such as line breaks',
  path: () => 'Must not be . or ..',
  lost: () => 'Has a character that was lost earlier (�): type it again',
  secret: () => 'Must not contain a token',
  colour: (example) => `Must be a colour such as ${example}`,
  currency: (example) => `Must be the code of a currency such as ${example}`,
  date: (example) => `Must be a date such as ${example}`,
  time: (example) => `Must be a time such as ${example}`,
  future: () => 'Must be in the future',
  late: (last) => `Must not be after ${last}`,
  address: () => 'Must be an address, or a block of them such as 192.0.2.0/24',
  url: () => 'Must be an address that begins with https://',
  json: () => 'Must be JSON',
  object: () => 'Must be a JSON object such as {"root": {}}',
  property: () =>
    'Must be a text, a number, true, false or null, or an object of them at most two levels deep',
  digits: (most) => `Must be a number without an exponent, of at most ${most} digits`,
  size: (most) => `Must be at most ${most} KiB`,
  repeated: () => 'Must not be repeated',
  both: () => 'Must not be added and removed',
  team: () => 'Must be the short name of a team',
  ownTeam: () => 'Must be a team of the account',
  otherTeam: () => 'Must be another team',
  ownRoles: () => 'Must be roles of the account',
  serviceRole: (meant) => `Is not a role of the service; did you mean ${meant}?`,
  keptApp: () => 'An account keeps at least one application',
  owner: () => 'Must be the username of an active person',
  ownerNeeded: () => 'Is required: the person who answers for the machine',
  ownerAbsent: () => 'Must be empty: only a machine has an owner',
  source: () => 'Must be another account than the source',
  passwordLength: (least, most) =>
    `Must have at least ${least} characters, and ${most} at most: letters with accents and emoji count as several`,
  passwordOwn: (least) => `Must have at least ${least} characters besides your username and names`,
  passwordCommon: () => 'Must not be a common password',
  passwordBreached: () => 'Must not be in a list of breached passwords',
  passwordMainly: (kinds) => `Must not consist mainly of ${kinds}`,
  passwordSame: () => 'Must not be the current password',
  passwordName: () => 'Must not be the username',
  role: (role) =>
    role === 'sys_administrator'
      ? 'Only administrators may do this'
      : `Only people with the role ${role} may do this`,
  fullAccess: () => 'Your session may only read',
  limits: () => 'Your session has limits that do not permit this',
  code: () => 'Your session has limits, and this would end a one-time code',
  ownSession: () => 'Log in with your password or a passkey for this',
  recentLogin: (minutes) => `You have to log in again for this: your login is older than ${minutes} minutes`,
  recentPasskey: () => 'It has to be confirmed with a passkey',
};

const fields: Readonly<Record<string, string>> = {
  username: 'Username',
  user_first_name: 'First name',
  user_last_name: 'Last name',
  phonenumber: 'Phone',
  user_properties: 'Custom properties',
  roles: 'Roles',
  teams: 'Teams',
  apps: 'Applications',
  owner: 'Owner',
  team_short: 'Short name',
  token_name: 'Name',
  passkey_name: 'Name',
  trust_name: 'Name',
  until: 'Until',
  reason: 'Reason',
  description: 'Description',
  addresses: 'Addresses',
};

export const faults = {
  of,
  fields,
  /** A message of an unknown kind, which is English. */
  other: (message: string) => message,
};
