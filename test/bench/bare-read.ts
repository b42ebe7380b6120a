import { readAccount } from '#lib/account/account';
import { openTable } from '#lib/table/table';

const table = openTable(process.env['TABLE_NAME'] as string);

/** What no authenticated request can undercut: the account is read, and nothing is done with it. */
export const handler = async () => {
  await readAccount(table, 'administrator');
  return { statusCode: 200, body: '' };
};
