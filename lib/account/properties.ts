import * as z from 'zod/mini';
import { isJsonObject, parseExactly, toPlainNumber } from '../input/exact-json.ts';
import type { PropertiesText } from '../item/account.ts';
import { assign } from '../table/expressions.ts';
import { propertiesKey } from '../table/keys.ts';
import { get } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import type { TransactWrite } from '../table/write.ts';

/** Custom properties of an account: free-form JSON that always has a `root`. */
export interface Properties {
  readonly root: Readonly<Record<string, unknown>>;
  readonly [name: string]: unknown;
}

export const MAX_PROPERTIES_BYTES = 64 * 1024;

/** An empty root does not count, since properties without one get it: they can be written as they were read. */
function fits({ root, ...others }: Readonly<Record<string, unknown>>): boolean {
  const counted = Object.keys(root ?? {}).length > 0 ? { root, ...others } : others;
  return Buffer.byteLength(JSON.stringify(counted)) <= MAX_PROPERTIES_BYTES;
}

/** Custom properties in a request: JSON of at most {@link MAX_PROPERTIES_BYTES}, with any numbers and any nesting. */
export const propertiesSchema = () =>
  z.pipe(
    z.transform(toPlainNumber),
    z.record(z.string(), z.unknown()).check(
      z.refine(({ root }) => root === undefined || isJsonObject(root), {
        error: 'Must be an object',
        path: ['root'],
      }),
      z.refine(fits, `Must be at most ${MAX_PROPERTIES_BYTES / 1024} KiB`),
    ),
  );

/** Properties in an item; an account without the item has an empty `root`. */
export const propertiesIn = (item: PropertiesText | undefined): Properties =>
  item ? (parseExactly(item.json) as Properties) : { root: {} };

/** One strongly consistent read. */
export const readProperties = async (table: Table, username: string): Promise<Properties> =>
  propertiesIn(await get(table, propertiesKey(username)));

/** Properties as they are stored: with a `root`, empty unless given. */
export const withRoot = (properties: object): Properties => ({ root: {}, ...properties });

/** Replaces the expected properties, as part of a transaction; a put could replace the account of their partition. */
export const putProperties = (
  username: string,
  properties: Properties,
  expected: Partial<PropertiesText> = {},
): TransactWrite => ({
  Update: { Key: propertiesKey(username), ...assign({ json: JSON.stringify(properties) }, expected) },
});
