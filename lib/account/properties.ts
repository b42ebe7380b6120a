import { parseExactly } from '../exact-json.ts';
import { propertiesKey } from '../table/keys.ts';
import { get } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import type { TransactWrite } from '../table/write.ts';

/** Custom properties of an account: free-form JSON that always has a `root`. */
export interface Properties {
  readonly root: Readonly<Record<string, unknown>>;
  readonly [name: string]: unknown;
}

/** Kept as JSON text, since DynamoDB holds neither all numbers nor all nesting that JSON has. */
interface PropertiesItem {
  readonly json: string;
}

/** One strongly consistent read; an account without the item has an empty `root`. */
export async function readProperties(table: Table, username: string): Promise<Properties> {
  const item = await get<PropertiesItem>(table, propertiesKey(username));
  return item ? (parseExactly(item.json) as Properties) : { root: {} };
}

/** Properties with the `root` that they always have. */
export const withRoot = (properties: object): Properties => ({ root: {}, ...properties });

/** Replaces the properties, as a part of the transaction that changes the profile. */
export const putProperties = (username: string, properties: Properties): TransactWrite => ({
  Put: { Item: { ...propertiesKey(username), json: JSON.stringify(properties) } },
});
