import { number } from '../../locale.ts';
import { type Said, said } from '../../said.ts';

const people = (count: number) => (count === 1 ? '1 person' : `${number(count)} people`);

export const activity = {
  title: 'Activity',
  history: 'History',
  empty: 'Nothing matches. Remove a filter. What was just done appears within a minute.',
  noMatchYet: 'No match so far. Continue with the next page.',

  any: 'Any',
  anyone: 'Anyone',
  doneBy: 'Done by',
  doneTo: 'Done to',
  action: 'Action',
  outcome: 'Outcome',
  since: 'Since',
  until: 'Until',
  enterTime: 'Enter date and time',
  isDone: 'Done',
  isBegun: 'Begun by an operator',
  support: 'An operator (support)',
  administrator: 'An operator (administrator)',
  service: 'The service',
  /** A filter that shows the entries of one operation. */
  oneOperation: 'What was done at once',

  details: 'Details',
  technical: 'Data for support',
  /** Between two times. */
  to: ' to ',
  time: 'Time',
  atLeast: 'At least',
  first: 'First',
  last: 'Last',
  addresses: 'From addresses',
  withToken: 'With the token',
  withTrust: 'With the trust',
  from: 'From',
  host: 'From the host',
  requestId: 'Request ID',
  times: (count: number) => `${number(count)} times`,
  yes: 'yes',
  no: 'no',
  code: 'a one-time code',
  password: 'the password',

  /** Names of the details of an entry. */
  labels: {
    apps_added: 'Applications added',
    apps_removed: 'Applications removed',
    cause: 'Cause',
    claimed_by: 'Claims to be',
    count: 'Number',
    end_passkeys: 'The code ends all passkeys',
    erased_at: 'Erased',
    expires_at: 'Works until',
    fields: 'Fields',
    file: 'File',
    forced: 'Forced',
    invite_hours: 'Hours until the one-time code ends',
    issuer: 'Issuer',
    machine_owner: 'Owner',
    moved_to: 'Moved to the team',
    passkey: 'Passkey',
    passkeys_ended: 'Passkeys ended',
    proof: 'Proved by',
    reason: 'Reason',
    resource: 'For the service',
    revoked: 'Tokens deleted',
    roles_added: 'Roles added',
    roles_removed: 'Roles removed',
    secret: 'Secret',
    source: 'Copied from',
    team_name: 'Name of the team',
    teams_added: 'Teams added',
    teams_removed: 'Teams removed',
    to_machine: 'Turned into a machine',
    tokens_revived: 'Tokens that work again',
    tokens_revoked: 'Tokens deleted',
    trust: 'Trust',
    trusts_ended: 'Trusts ended',
    trusts_revived: 'Trusts that work again',
    until: 'Until',
    user_app_name: 'Application',
  },

  /** How much of an operation the page has loaded. */
  shown: (some: number, all: number) => `${number(some)} of ${number(all)} shown`,
  isPart: (all: number) => `Done together with others, ${people(all)} in all.`,
  showAll: 'Show all',
  showEach: 'Show each entry',
  takenBack: (time: Said, actor: Said): Said => said`taken back ${time} by ${actor}`,
  byYou: 'you',

  undo: 'Undo',
  /** Questions before the inverse of what was done. */
  undoRole: {
    given: (roles: Said, count: number): Said => said`Take the role${count === 1 ? '' : 's'} ${roles} back?`,
    taken: (roles: Said, count: number): Said => said`Give the role${count === 1 ? '' : 's'} ${roles} again?`,
  },
  undoAsk: {
    locked: 'Unlock these people?',
    unlocked: 'Lock these people again?',
    cancelled: 'Reactivate these people?',
    reactivated: 'Cancel these accounts again?',
    created: 'Cancel the imported accounts?',
    other: 'Take this change back?',
  },
  undoEffect:
    'Only people whom this has changed, and who are still as it left them, are changed back. The others stay as they are.',
  reading: (count: number, all: number | undefined) =>
    all === undefined
      ? `Reading ${number(count)} entries…`
      : `Reading ${number(count)} of ${number(all)} entries…`,
  missing: (count: number) =>
    `${number(count)} of its changes ${count === 1 ? 'is' : 'are'} not in the activity yet, or ${count === 1 ? 'was' : 'were'} not made. What was just done appears within a minute.`,
  notRead: 'The list of people is not loaded yet. Try again in a moment.',
  nobody: 'Nobody is left for whom it can be taken back.',
  /** What will happen to a person. */
  will: {
    unlock: 'will be unlocked',
    reactivate: 'will be reactivated; API tokens and passkeys work again',
    cancel: 'will be cancelled',
  },
  gets: (roles: Said): Said => said`gets ${roles}`,
  loses: (roles: Said): Said => said`loses ${roles}`,
  and: ' and ',
  /** Why an account stays as it is. */
  stays: {
    changed: 'stays: it was changed again since',
    used: 'stays: it was used since',
    gone: 'does not exist any more',
  },
  listed: 'What will be taken back',
  done: 'What was taken back',
  results: {
    back: 'taken back',
    unchanged: 'not changed',
    failed: 'failed',
    stopped: 'Not sent: you stopped before.',
  },
  confirm: (due: number) => `${people(due)} will be cancelled.`,
  administrators: (due: number) => people(due),
};
