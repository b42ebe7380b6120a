import { HASHING, KEEPING_NAMES } from '#lib/contract/needs';
import { contract as erase } from '#lib/erasure/erase.contract';
import type { Command } from './command.ts';
import { FINDINGS, GUARD, of } from './operator-needs.ts';
import { BULK, collect, option } from './options.ts';
import type { Adopted } from './restore/adopt-key.ts';
import type { Chosen } from './restore/erase-again.ts';
import { since, TIME } from './times.ts';

/** Needs of the look-up of erased accounts that the audit log names. */
const ERASURES = ['audit:read', 'table:BatchGetItem:ERASED', 'table:BatchGetItem:ACCOUNT'] as const;

/** Needs of the publication of the own keys. */
const PUBLISH = [
  'signing-key:read',
  'resource-key:read',
  'table:UpdateItem:KEYS',
  'table:UpdateItem:RESOURCE_KEYS',
] as const;

/** Needs of the record of an erasure that the table does not know. */
const RECORD = [
  ...KEEPING_NAMES,
  GUARD,
  'transaction:UpdateItem:ERASED',
  'transaction:UpdateItem:ERASING',
] as const;

export const check: Command = {
  name: 'restore check',
  description:
    "compare the table with the stack's own settings, its erasure key and the erasures in the audit log; exits with 1 if anything is missing or wrong",
  options: [
    option('--table <name>', 'another table, such as a restored one'),
    option('--mend', 'add what is missing, also the names of erased accounts that the table has lost'),
  ],
  group: 'support',
  inputs: {
    table: 'a fault is not listed, or `--mend` publishes the keys of the own secrets',
    log: 'a line is listed as unproved; `--mend` keeps a name from new accounts, by proved lines only',
  },
  needs: [FINDINGS, ERASURES],
  spare: HASHING,
  audited: false,
  run: async (target) => (await import('./restore/check.ts')).compare(target),
  variants: {
    mend: {
      group: 'administrator',
      needs: [FINDINGS, ERASURES, 'description:mend', PUBLISH, RECORD],
      audited: true,
      run: async (target) => (await import('./restore/check.ts')).compare(target, target.record),
    },
  },
};

export const eraseAgain: Command = {
  name: 'restore erase-again',
  description:
    'erase the cancelled accounts that a restore brought back although the audit log proves their erasure',
  options: [
    ...BULK,
    option('--except <id>', 'not this account; may be repeated', collect),
    option('--from <time>', `only erasures at this time or later: ${TIME}`, since),
    option('--until <time>', `only erasures at this time or earlier: ${TIME}`, since),
    option('--id <id>', 'only this account; may be repeated', collect),
    option(
      '--force',
      'with --id, although it is active or the last administrator, or nothing proves its erasure',
    ),
  ],
  faultOf: ({ id, force, except, from, until }: Chosen) => {
    if (force && !id) return '--force needs --id';
    return id && [except, from, until].some((other) => other !== undefined)
      ? '--id excludes --except, --from and --until'
      : undefined;
  },
  group: 'administrator',
  inputs: {
    table: 'a cancelled account whose erasure is proved is erased',
    log: 'a proved line erases a cancelled account, after the question that names it; an unproved one nothing without `--id --force`',
  },
  needs: [ERASURES, 'index:GSI1:ACCOUNTS', GUARD, of(erase)],
  audited: true,
  run: async (target, options: Chosen) =>
    (await import('./restore/erase-again.ts')).eraseAgain(target, options),
};

export const adoptKey: Command = {
  name: 'restore adopt-key',
  description:
    'copy the erasure key that was kept with a table into the secret of the instance that has adopted it',
  options: [
    option(
      '--from <secret>',
      'another secret that has the key, by its ID or ARN; default: that of the instance',
    ),
    option('--previous', 'its former version, if the key was replaced in the secret'),
    option(
      '--force',
      'although the table has another key: all names that were erased by it are free, except those that "restore check --mend" records',
    ),
  ],
  group: 'administrator',
  inputs: {
    table: 'the key is refused, except with `--force`',
    log: 'by proved lines only: a key without a check value is refused, except with `--force`',
  },
  needs: [ERASURES, KEEPING_NAMES, 'erasure-key:write'],
  audited: true,
  run: async (target, options: Adopted) => (await import('./restore/adopt-key.ts')).adoptKey(target, options),
};
