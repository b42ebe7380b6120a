import { setTimeout as sleep } from 'node:timers/promises';
import { CONFLICT, cancelled, type Script } from './dynamodb-proxy.ts';

/** A transaction of DynamoDB takes about so long. */
const TRANSACTION_MS = 20;

type Item = { readonly PK: { readonly S: string }; readonly SK: { readonly S: string } };
type Write = Record<string, { readonly Key?: Item; readonly Item?: Item }>;

const keyOf = (item: Item | undefined) => `${item?.PK.S}\n${item?.SK.S}`;

/**
 * Conflicts as DynamoDB documents them, which no embedded engine has: while a transaction is in flight, others on one
 * of its items are cancelled, and single writes of one are refused. Single writes are in the way of nobody.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-conflict-handling
 */
export function withConflicts() {
  const inFlight = new Set<string>();
  let conflicts = 0;

  const script: Script = async (operation, input) => {
    const writes = input['TransactItems'] as Write[] | undefined;
    if (writes) {
      const keys = writes.flatMap((write) => Object.values(write).map(({ Key, Item }) => keyOf(Key ?? Item)));
      const codes = keys.map((key) => (inFlight.has(key) ? 'TransactionConflict' : 'None'));
      if (codes.includes('TransactionConflict')) {
        conflicts += 1;
        return cancelled(...codes);
      }
      for (const key of keys) inFlight.add(key);
      await sleep(TRANSACTION_MS);
      setImmediate(() => {
        for (const key of keys) inFlight.delete(key);
      });
      return undefined;
    }
    if (!/^(Put|Update|Delete)Item$/.test(operation)) return undefined;
    if (!inFlight.has(keyOf((input['Key'] ?? input['Item']) as Item))) return undefined;
    conflicts += 1;
    return CONFLICT;
  };
  return { script, conflicts: () => conflicts };
}
