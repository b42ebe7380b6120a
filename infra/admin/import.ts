import { FORMATS } from '#lib/account/file';
import type { Command } from './command.ts';
import type { ImportOptions } from './import/import.ts';
import { ACCOUNTS, NEW_ACCOUNT } from './operator-needs.ts';
import { option } from './options.ts';
import type { Format } from './output.ts';

const HELP = `
A line has the keys of a profile:
  {"username":"ada","user_first_name":"Ada","teams":["OPS"],"roles":["editor"],"apps":["core"]}
Further keys: password or password_hash, emailconfirmed, lockoutenabled, isactive, user_properties; islocked with lockoutend, lock_reason.
The first line of a CSV file names the columns, separated by commas, semicolons or tabs. Spaces separate items
of a list; empty cells are ignored:
  username,user_first_name,teams,roles
  ada,Ada,OPS,editor reviewer
A workbook (.xlsx) has the same in its first sheet. Older formats are refused.
All lines are checked before the first account is written. The same command continues an interrupted import.
With --rejects, the lines without faults are imported. The others are in that file, each after a column "fault":
correct them, and import that file, which may keep the column.`;

export const importCommand: Command = {
  name: 'import <file>',
  description:
    'create the accounts of a file, one a line, as JSON, CSV or a workbook; existing accounts stay as they are',
  options: [
    option('--format <format>', 'default: by the file name').choices(FORMATS),
    option('--dry-run', 'only check the file'),
    option('--rejects <file>', 'import the lines without faults; write the others to this new file'),
    option('--report <file>', 'write each account, its name and its outcome to this new file, as CSV'),
    option('--force', 'accept names of erased accounts, and unknown roles that begin with sys_'),
  ],
  configure: (parser) => parser.addHelpText('after', HELP),
  group: 'administrator',
  inputs: {
    table: 'an account is left out, since its name exists',
    file: 'an account with any role, `sys_administrator` too, and a password that the author of the file knows: try `--dry-run`, and read the roles',
  },
  needs: [
    ACCOUNTS,
    'table:Query:TEAMS',
    'table:BatchGetItem:TEAMS',
    'table:BatchGetItem:ERASED',
    NEW_ACCOUNT,
    'transaction:UpdateItem:ACCOUNT:profile',
    'transaction:UpdateItem:CANCELLED',
    // The counter of locks with an end.
    'table:GetItem:SLICE',
    'transaction:UpdateItem:SLICE:until',
    'transaction:UpdateItem:OUTBOX:user_create',
    'relay:start',
  ],
  audited: true,
  run: async (target, path: string, options: ImportOptions) =>
    (await import('./import/import.ts')).importFile(target, path, options),
  variants: {
    dryRun: {
      audited: false,
      run: async (target, path: string, options: ImportOptions) =>
        (await import('./import/import.ts')).checkOnly(target, path, options),
    },
  },
};

export const exportCommand: Command = {
  name: 'export',
  description: 'print all accounts, one a line, in the format of import; without hashes and secrets',
  options: [option('--table <name>', 'another table, such as a restored one')],
  faultOf: ({ csv, xlsx }: Format) => {
    const form = csv ? '--csv' : '--format xlsx';
    return csv || xlsx
      ? `export prints JSON lines only: omit ${form}, or use account list ${form}`
      : undefined;
  },
  group: 'support',
  inputs: { table: 'the file is wrong' },
  needs: [ACCOUNTS],
  audited: true,
  run: async (target) => (await import('./import/export.ts')).exportAccounts(target),
};
