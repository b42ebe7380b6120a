import { wholeExport } from '#lib/export/export';
import { contract } from '#lib/export/export.contract';
import type { Command } from '../command.ts';
import { ACCOUNT, of } from '../operator-needs.ts';
import { jsonText, Output } from '../output.ts';
import { onAccount } from './on-account.ts';

/** Only requests over HTTP are counted. */
const OF_PAGES = of(contract).filter((need) => need !== 'table:UpdateItem:EXPORTS');

export const exportOne: Command = {
  name: 'account export <username>',
  description: 'print everything that is stored about an account, as one JSON document without secrets',
  group: 'administrator',
  inputs: { table: 'the export is wrong or lacks something' },
  needs: [ACCOUNT, 'table:BatchGetItem:ENDED', 'table:BatchGetItem:TOKEN', 'table:Query:KEYS', OF_PAGES],
  audited: true,
  run: onAccount(async ({ runtime }, account) => {
    const data = await wholeExport(runtime, account);
    return new Output({ ...data, changed: false }, { stdout: jsonText(data) });
  }),
};
