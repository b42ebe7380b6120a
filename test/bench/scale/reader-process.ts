import { createClient } from '#lib/client/index';

/** What a process takes of memory after a page, in MB of 10^6 bytes. */
export interface Memory {
  /** What its objects take that are held. */
  readonly heapMb: number;
  /** The most that it has had so far. */
  readonly peakMb: number;
}

/** What the reader has seen. */
export interface Read {
  readonly accounts: number;
  /** After each page. */
  readonly memory: readonly Memory[];
}

const [, , url = '', session = ''] = process.argv;
// A machine that others keep busy may leave the engine no time for a page of 5 MB.
const client = createClient({ url, credential: { session }, tries: 20, maxWaitMs: 30_000 });
const memory: Memory[] = [];
let accounts = 0;
let last = '';
for await (const { items } of client.account.browse().pages()) {
  for (const { username } of items) {
    if (username.toLowerCase() <= last) throw new Error(`${username} comes after ${last}`);
    last = username.toLowerCase();
  }
  accounts += items.length;
  globalThis.gc?.();
  const { heapUsed } = process.memoryUsage();
  memory.push({ heapMb: heapUsed / 1e6, peakMb: (process.resourceUsage().maxRSS * 1024) / 1e6 });
}
process.send?.({ accounts, memory } satisfies Read);
process.disconnect();
