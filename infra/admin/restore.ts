import { contract as erase } from '#lib/erasure/erase.contract';
import type { Command } from './command.ts';
import { FINDINGS, GUARD, of } from './operator-needs.ts';
import { BULK, collect, option } from './options.ts';
import type { Chosen } from './restore/erase-again.ts';
import { since, TIME } from './times.ts';

/** Needs of the look-up of erased accounts that the audit log names. */
const ERASURES = ['audit:read', 'table:BatchGetItem:ERASED', 'table:BatchGetItem:ACCOUNT'] as const;

/** Needs of the record of an erasure that the table does not know. */
const RECORD = [
  'erasure-key:read',
  GUARD,
  'transaction:UpdateItem:ERASED',
  'transaction:UpdateItem:ERASING',
] as const;

export const check: Command = {
  name: 'restore check',
  description:
    "compare the table with the stack's own settings, and with the erasures in the audit log; exits with 1 if anything is missing or wrong",
  options: [
    option('--table <name>', 'another table, such as a restored one'),
    option('--mend', 'add what is missing, also the names of erased accounts that the table has lost'),
  ],
  group: 'support',
  inputs: {
    table: 'a fault is not listed, or `--mend` publishes the key of the own secret',
    log: 'a line is listed as unproved; `--mend` keeps a name from new accounts, by proved lines only',
  },
  needs: [FINDINGS, ERASURES],
  audited: false,
  run: async (target) => (await import('./restore/check.ts')).compare(target),
  variants: {
    mend: {
      group: 'administrator',
      needs: [FINDINGS, ERASURES, 'description:mend', 'signing-key:read', 'table:UpdateItem:KEYS', RECORD],
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
