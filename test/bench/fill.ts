import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { accountOf, draftOf, writesOf } from '#lib/account/create';
import type { Runtime } from '#lib/runtime';
import { documentsOf } from '../unit/support/document-client.ts';

/** Items that one BatchWriteItem writes. */
const BATCH = 25;

const FIRST_NAMES = ['Ada', 'Grace', 'Jürgen', 'Margaret'];
const LAST_NAMES = ['Lovelace', 'Hopper', 'Größwang', 'Hamilton', 'O’Neill'];

/** Writes accounts `from` to `to`, whose names are spread over the whole directory. */
export async function fillDirectory(runtime: Runtime, from: number, to: number): Promise<void> {
  const { table } = runtime;
  const put = (n: number) => {
    const draft = draftOf({
      username: `${(n * 7919) % 100_003}.filler.${n}`,
      roles: ['editor'],
      user_first_name: FIRST_NAMES[n % FIRST_NAMES.length],
      user_last_name: LAST_NAMES[n % LAST_NAMES.length],
      phonenumber: `+43 1 ${String(n).padStart(7, '0')}`,
    });
    const account = { ...accountOf(runtime, draft, [], Date.now()), never_used: false };
    return { PutRequest: { Item: writesOf(account, draft, undefined).condition.Put.Item } };
  };
  const documents = documentsOf(table);
  for (let at = from; at < to; at += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, to - at) }, (_, n) => put(at + n));
    await documents.send(new BatchWriteCommand({ RequestItems: { [table.name]: batch } }));
  }
}
