import { type Said, said } from '../../said.ts';

const hours = (n: number) => (n === 1 ? 'an hour' : `${n} hours`);
const days = (n: number) => (n === 1 ? 'a day' : `${n} days`);

export const attention = {
  title: 'Needs attention',
  note: 'People, machines and ways into accounts that wait for you, the most urgent first.',
  nothing: 'Nothing needs attention.',
  nothingNote: 'What happened in the last hour is not here yet.',
  read: (tokens: string) => `${tokens} tokens read…`,
  /** The number beside the link in the navigation. */
  count: (n: string, isOne: boolean) => `${n} ${isOne ? 'item' : 'items'}`,
  more: (n: string) => `Show ${n} more`,
  mayBeMore: 'There may be more: they appear when these are done.',
  notNow: 'Not now',
  notNowFor: (name: string) => `Not now: ${name}`,
  notNowAll: (n: string) => `Not now for all ${n}`,
  notNowHint: (n: number) => `Comes back in ${days(n)}. Only this browser puts it off.`,
  off: (n: string) => `Put off: ${n}`,
  offNote: (n: number) => `Each comes back ${days(n)} after it was put off. Only this browser puts it off.`,
  comesBack: (when: Said) => said`comes back ${when}`,
  takeBack: 'Show again',
  takeBackFor: (name: string) => `Show again: ${name}`,
  groups: {
    codes: {
      title: 'One-time codes that ended',
      note: 'These people never set a password, and their code works no more. Only a new code lets them in.',
    },
    leavers: {
      title: 'People who can be erased',
      note: 'They were cancelled, and the time to reactivate them is over. Their data are kept until someone erases them.',
    },
    bare: {
      title: 'Administrators without a passkey',
      note: 'Who learns such a password can change every account. Ask them to create a passkey: only they can.',
    },
    refused: {
      title: 'Refused passkeys',
      note: 'The device was reset, or somebody has a copy of it. Remove the passkey in Access; its owner creates another.',
    },
    idle: {
      title: 'Passkeys of administrators that nobody uses',
      note: 'A passkey has no end. Ask whether its device is still there; if not, remove the passkey in Access.',
    },
    machines: {
      title: 'Machines without an owner',
      note: 'Nobody answers for them any more. Somebody else should.',
    },
    events: {
      title: 'Events that wait',
      note: 'Applications do not know yet what these events report.',
    },
    maker: {
      title: 'Tokens made by former administrators',
      note: 'The person who made a token may have kept its secret. A rotation ends it: the program needs the new secret.',
    },
    ending: {
      title: 'Tokens that end soon',
      note: 'Their programs are refused from then on, and a rotation keeps the end. Create other tokens in time.',
    },
    unused: {
      title: 'Tokens that nobody uses',
      note: 'No program seems to need them. Ask their owners, then delete them.',
    },
    never: {
      title: 'Tokens that were never used',
      note: 'Nothing has used them since they were created or rotated. Ask their owners, then delete them.',
    },
    endless: {
      title: 'Tokens without an end',
      note: 'A lost secret works until somebody notices. Create tokens that end, then delete these.',
    },
  },
  codeEnded: (when: Said) => said`Code ended ${when}`,
  codeGone: 'The code has ended',
  erasableSince: (when: Said) => said`Can be erased since ${when}`,
  since: (when: Said) => said`Refused since ${when}`,
  noPasskey: 'Logs in with a password only',
  passkey: (name: Said, fact: Said) => said`${name}: ${fact}`,
  lastUsed: (when: Said) => said`last used ${when}`,
  neverUsed: 'never used',
  formerOwner: (name: Said) => said`Former owner: ${name}`,
  wait: (n: string, isOne: boolean, when: Said) =>
    isOne ? said`One event waits since ${when}.` : said`${n} events wait, the oldest since ${when}.`,
  setAside: (n: string, isOne: boolean) =>
    isOne ? 'One of them is not retried any more.' : `${n} of them are not retried any more.`,
  eventsHelp: (afterHours: number) =>
    `Every minute, a job publishes the events that wait. After ${hours(afterHours)} of failures it retries an event no more. Ask whoever operates the service to find the cause, and to run this command:`,
  eventsLink: 'What to do',
  token: (name: Said, owner: Said) => said`${name} of ${owner}`,
  reasons: {
    maker: (name: Said) => said`made by ${name}`,
    ending: (when: Said) => said`ends ${when}`,
    unused: (when: Said) => said`last used ${when}`,
    never: (when: Said) => said`never used, made ${when}`,
    endless: 'no end',
  },
  newCode: 'New code',
  newCodeAsk: (name: Said) => said`Create a new code for ${name}?`,
  newCodeText: 'With it, its owner sets a password and logs in. The earlier code ended.',
  newCodeDone: (name: Said, ends: number) => said`The new code of ${name} works once, within ${hours(ends)}.`,
  newCodes: (n: string) => `New codes for all ${n}`,
  erase: 'Erase',
  openPerson: 'Open person',
  openAccess: 'Open access',
  openTokens: 'Open tokens',
};
