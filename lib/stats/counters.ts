import { allCounters, counterKey } from '../table/keys.ts';
import { query } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import type { TransactWrite } from '../table/write.ts';

/** A counter of the whole directory: all accounts, those locked by an administrator. */
type CounterName = 'COUNT' | 'LOCKED';

/** Changes a counter as a part of the transaction that changes what it counts. */
export const countIn = (counter: CounterName, username: string, by: number): TransactWrite => ({
  Update: {
    Key: counterKey(counter, username),
    UpdateExpression: 'ADD n :by',
    ExpressionAttributeValues: { ':by': by },
  },
});

/** What the counters say. */
export interface Counters {
  readonly count: number;
  readonly locked: number;
  /** Accounts that earlier versions have counted as last active on a UTC date; these counters expire. */
  readonly activeOn: (date: string) => number;
}

/** 8 small items a counter, read in one query however large the directory. */
export async function readCounters(table: Table): Promise<Counters> {
  const items = await query(table, allCounters);
  const sum = (counter: CounterName | `DAY#${string}`) =>
    items
      .filter(({ SK }) => SK.slice(0, SK.lastIndexOf('#')) === counter)
      .reduce((total, { n }) => total + n, 0);
  return { count: sum('COUNT'), locked: sum('LOCKED'), activeOn: (date) => sum(`DAY#${date}`) };
}
