import { readAccount } from '#lib/account/account';
import { openTable } from '#lib/table/table';

const table = openTable(process.env['TABLE_NAME'] as string);

/** The same read, as every function does it. */
export const handler = async () => {
  await readAccount(table, 'administrator');
  return { statusCode: 200, body: '' };
};
