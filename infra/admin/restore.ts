import type { Command } from './command.ts';
import { FINDINGS } from './operator-needs.ts';
import { option } from './options.ts';

export const check: Command = {
  name: 'restore check',
  description:
    "compare the table with the stack's own settings; exits with 1 if anything is missing or wrong",
  options: [
    option('--table <name>', 'another table, such as a restored one'),
    option('--mend', 'add what is missing; removes nothing'),
  ],
  group: 'support',
  needs: [FINDINGS],
  audited: false,
  run: async (target) => (await import('./restore/check.ts')).compare(target),
  variants: {
    mend: {
      group: 'administrator',
      needs: [FINDINGS, 'description:mend', 'signing-key:read', 'table:UpdateItem:KEYS'],
      audited: true,
      run: async (target) => (await import('./restore/check.ts')).compare(target, target.record),
    },
  },
};
