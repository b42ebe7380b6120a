import { exportAccount } from '#lib/export/export';
import { contract } from '#lib/export/export.contract';
import type { Command } from '../command.ts';
import { ACCOUNT, of } from '../operator-needs.ts';
import { jsonText, Output } from '../output.ts';
import { onAccount } from './on-account.ts';

export const exportOne: Command = {
  name: 'account export <username>',
  description: 'print everything that is stored about an account, as one JSON document without secrets',
  group: 'administrator',
  inputs: { table: 'the export is wrong or lacks something' },
  needs: [ACCOUNT, 'table:BatchGetItem:ENDED', 'table:Query:KEYS', of(contract)],
  audited: true,
  run: onAccount(async ({ runtime }, account) => {
    const data = await exportAccount(runtime, account);
    return new Output({ ...data, changed: false }, { stdout: jsonText(data) });
  }),
};
