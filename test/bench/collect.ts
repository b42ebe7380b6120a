import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** What the inspector sends: an answer to a command, or that a thread is there. */
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly sessionId: string; readonly message?: string };
}

const COLLECT = 'HeapProfiler.collectGarbage';

/** What is freed is given back to the machine a moment later. */
const SETTLE_MS = 1000;

/**
 * Has every thread of a process collect its garbage, so that what it holds is left.
 *
 * @param output of the process, which has told the address of its inspector
 * @see https://nodejs.org/api/inspector.html
 */
export async function collectGarbage(output: string): Promise<void> {
  const [address] = /ws:\/\/\S+/.exec(output) ?? [];
  if (!address) throw new Error('The process was not started with --inspect');
  const inspector = new WebSocket(address);
  await once(inspector, 'open');
  const threads = new Set<string>();
  const waiting = new Map<number, () => void>();
  inspector.addEventListener('message', ({ data }) => {
    const { id, method, params } = JSON.parse(data as string) as Message;
    if (method === 'NodeWorker.attachedToWorker') threads.add(params?.sessionId as string);
    if (method === 'NodeWorker.detachedFromWorker') threads.delete(params?.sessionId as string);
    const answered = params?.message ? (JSON.parse(params.message) as Message).id : id;
    // The thread answers by itself; that the command has reached it is no answer.
    if (answered !== undefined) waiting.get(answered)?.();
  });
  let last = 0;
  const ask = (method: string, params = {}, send = (message: string): unknown => inspector.send(message)) => {
    const id = ++last;
    const answered = new Promise<void>((resolve) => waiting.set(id, resolve));
    send(JSON.stringify({ id, method, params }));
    return answered;
  };
  await ask('NodeWorker.enable', { waitForDebuggerOnStart: false });
  const inThread = (sessionId: string) =>
    ask(COLLECT, {}, (message) => ask('NodeWorker.sendMessageToWorker', { sessionId, message }));
  await Promise.all([ask(COLLECT), ...[...threads].map(inThread)]);
  inspector.close();
  await sleep(SETTLE_MS);
}
