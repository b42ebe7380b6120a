import { openTable } from '#lib/table/table';
import { fill } from './fill.ts';

/** Fills a table, as a process that can be killed. */
const [, , endpoint, name, accounts, chunk, at] = process.argv;
const table = openTable(name as string, endpoint);
await fill(table, Number(accounts), { at: Number(at), chunk: Number(chunk) });
table.client.destroy();
