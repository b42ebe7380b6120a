import type { KeptKind } from '#lib/erasure/kept';
import { type Said, said } from '../../said.ts';

/** What stays after an erasure, and for how long if no day is certain. */
interface Stays {
  readonly where: string;
  readonly what: string;
  readonly why: string;
  readonly lasts?: string;
}

const kept: Readonly<Record<KeptKind, Stays>> = {
  audit_log: {
    where: 'Audit log',
    what: 'Username, names of API tokens, addresses on the network, reasons of locks',
    why: 'Proof of who did what, which nobody can change',
  },
  function_logs: {
    where: 'Logs of the service',
    what: 'The same as in the audit log, and the ID of the account',
    why: 'Operation of the service; the audit log is filled from them',
  },
  request_log: {
    where: 'Log of requests',
    what: 'Addresses on the network, without names',
    why: 'Operation, and defence against attacks',
  },
  address_counters: {
    where: 'Counters of failed logins',
    what: 'Addresses on the network, without names',
    why: 'Limit of guessed passwords',
    lasts: 'Some minutes; expired counters are deleted within days',
  },
  blocked_addresses: {
    where: 'Blocked addresses',
    what: 'Addresses on the network, without names',
    why: 'Defence against attacks',
    lasts: 'Until the block ends, a day by default; then deleted within days',
  },
  function_memory: {
    where: 'Memory of the service',
    what: 'The account as it was last read',
    why: 'Sessions work while the database fails',
    lasts: 'Up to a minute',
  },
  event_archive: {
    where: 'Archive of events',
    what: 'Events as they were published, with username and name',
    why: 'Applications read again what they missed',
  },
  dead_letters: {
    where: 'Events that were not delivered',
    what: 'Events that an application did not receive',
    why: 'They are sent again',
  },
  recovery: {
    where: 'Recovery of the database',
    what: 'The database as it was on each day before the erasure',
    why: 'Restore after a loss of data',
  },
  backups: {
    where: 'Daily backups and their copies',
    what: 'The database as it was on each day before the erasure',
    why: 'Restore after a loss of data',
  },
  local_files: {
    where: 'Files of this local instance',
    what: 'Audit entries and events as they were written',
    why: 'A trial has no retention',
    lasts: 'Until someone deletes the files',
  },
  local_database: {
    where: 'Database of this local instance',
    what: 'Bytes that were deleted, and not yet overwritten',
    why: 'The database overwrites nothing by itself',
    lasts: 'Until the instance starts again',
  },
  activity: {
    where: 'Activity on the administrator’s page',
    what: 'What was done, by “an erased person” with the ID in place of the name',
    why: 'Administrators see what was done',
  },
  mark: {
    where: 'Mark of the erasure',
    what: 'ID of the account, time, who erased it, and a hash of the username, which nobody can read',
    why: 'Proof of the erasure; nobody else gets the username',
    lasts: 'Always',
  },
};

export const erasure = {
  title: 'Proof of erasure',
  organisation: 'Organisation',
  person: 'Username',
  account: 'ID of the account',
  at: 'Erased',
  by: 'Erased by',
  operator: 'an operator of the service, by a command',
  erasedPerson: 'an administrator whose account was erased later',
  request: 'Request in the audit log',
  noRequest: 'no longer in Activity; the audit log of the operator has it',
  state: 'State',
  complete: 'Complete: nothing is left except what is listed below.',
  incomplete: (time: Said): Said =>
    said`The account is gone. Its name in what belongs to others is removed by ${time} at the latest. Print this proof again after that: Activity, “erase”, “Proof of erasure”.`,
  printed: 'This proof was made',
  gone: 'What was erased',
  goneKinds: [
    'Profile: username, name, phone, initials, colour, currency, and properties of applications',
    'Roles, teams and applications of the account',
    'Password, one-time code and passkeys',
    'API tokens and trusts of a machine',
    'Sessions and records of logins',
    'The name in Activity and in what belongs to others',
  ],
  stays: 'What stays, until when and why',
  staysText: 'The days are the latest possible ones; most of it goes earlier.',
  keptHead: ['Where', 'What', 'Until', 'Why'],
  until: (days: string, day: string) => `${day} (${days} days)`,
  outside:
    'Applications were told to delete what they have of the person. Files that people have downloaded are outside of this service.',
  again:
    'This proof can be printed again from Activity, as long as the entry of the erasure is listed there.',
  kept,
};
