import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { accountOf, draftOf, writesOf } from '#lib/account/create';
import type { Runtime } from '#lib/runtime';
import { documentsOf } from '../unit/support/document-client.ts';

/** Items that one BatchWriteItem writes. */
const BATCH = 25;

/**
 * Writes accounts whose names are spread over the whole directory.
 *
 * @param timeOf when an account was created and last used, by its number; now by default
 */
export async function fillDirectory(
  runtime: Runtime,
  accounts: number,
  timeOf: (n: number) => number = Date.now,
): Promise<void> {
  const { table } = runtime;
  const put = (n: number) => {
    const draft = draftOf({
      username: `${(n * 7919) % 100_003}.filler.${n}`,
      roles: ['editor'],
      user_first_name: ['Ada', 'Grace', 'Jürgen', 'Margaret'][n % 4],
      user_last_name: ['Lovelace', 'Hopper', 'Größwang', 'Hamilton', 'O’Neill'][n % 5],
      phonenumber: `+43 1 ${String(n).padStart(7, '0')}`,
    });
    const account = { ...accountOf(runtime, draft, [], timeOf(n)), never_used: false };
    return { PutRequest: { Item: writesOf(account, draft, undefined).condition.Put.Item } };
  };
  for (let at = 0; at < accounts; at += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, accounts - at) }, (_, n) => put(at + n));
    await documentsOf(table).send(new BatchWriteCommand({ RequestItems: { [table.name]: batch } }));
  }
}
