import { contract as erase } from '#lib/erasure/erase.contract';
import type { Command } from './command.ts';
import { FINDINGS, of } from './operator-needs.ts';
import { option } from './options.ts';

/** Needs of the look-up of erased accounts that the audit log names. */
const ERASURES = ['audit:read', 'table:BatchGetItem:ERASED', 'table:BatchGetItem:ACCOUNT'] as const;

export const check: Command = {
  name: 'restore check',
  description:
    "compare the table with the stack's own settings, and with the erasures in the audit log; exits with 1 if anything is missing or wrong",
  options: [
    option('--table <name>', 'another table, such as a restored one'),
    option('--mend', 'add what is missing, also lost erasures, and erase again what a restore brought back'),
  ],
  group: 'support',
  needs: [FINDINGS, ERASURES],
  audited: false,
  run: async (target) => (await import('./restore/check.ts')).compare(target),
  variants: {
    mend: {
      group: 'administrator',
      needs: [FINDINGS, ERASURES, 'description:mend', 'signing-key:read', 'table:UpdateItem:KEYS', of(erase)],
      audited: true,
      run: async (target) => (await import('./restore/check.ts')).compare(target, target.record),
    },
  },
};
