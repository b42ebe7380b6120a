import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { browse } from '#lib/account/contracts';
import { memoryOf } from '#lib/routes';
import { number } from '../../../infra/admin/terminal/counted.ts';
import { openGateway } from '../../../infra/local/gateway/gateway.ts';
import { openFunction } from '../../cost/open-function.ts';
import { nodeFlags } from '../../runtime/execution-environment.ts';
import type { StartedPlace } from './place.ts';
import type { Memory, Read } from './reader-process.ts';

/**
 * Reads the whole directory through cursors with the client, over HTTP, from one function: each in a process of its own, whose
 * memory is looked at after each page.
 *
 * @returns what came of it, for people
 */
export async function listEverything(
  { env, jwt }: StartedPlace,
  tell: (text: string) => void,
): Promise<string> {
  await using open = new AsyncDisposableStack();
  const fn = open.adopt(
    await openFunction(browse.id, env(browse), undefined, nodeFlags(memoryOf(browse))),
    async (it) => void (await it.close()),
  );
  const gateway = open.adopt(await openGateway(0, []), (it) => it.close());
  const memory: Memory[] = [];
  gateway.serve({
    async invoke(_, event, requestId = '') {
      const { result, ...taken } = await fn.invoke({ requestId, event, trace: '' });
      memory.push(taken);
      if (memory.length % 10 === 0) tell(`${memory.length} pages`);
      return result;
    },
    retire: () => undefined,
    close: async () => undefined,
  });
  const reader = fork(join(import.meta.dirname, 'reader-process.ts'), [gateway.url, jwt], {
    execArgv: ['--expose-gc'],
  });
  const failed = once(reader, 'exit').then(([code]) =>
    Promise.reject(new Error(`The reader ended with ${code}`)),
  );
  failed.catch(() => undefined);
  const [read] = (await Promise.race([once(reader, 'message'), failed])) as [Read];
  return `All ${number(read.accounts)} accounts through cursors, ${memory.length} pages. The function holds ${grown(memory)}.
The reader holds ${grown(read.memory)}.`;
}

/** `up to 60 MB after a page of the first tenth, 1.00 times that to the end; of the machine it takes 300 MB, and 1.02 times that` */
function grown(memory: readonly Memory[]): string {
  const tenth = memory.slice(0, Math.ceil(memory.length / 10));
  const of = (pick: keyof Memory) => {
    const [first, all] = [tenth, memory].map((some) => Math.max(...some.map((each) => each[pick])));
    return [`${(first as number).toFixed(0)} MB`, ((all as number) / (first as number)).toFixed(2)];
  };
  const [[heap, heapGrowth], [peak, peakGrowth]] = [of('heapMb'), of('peakMb')] as [string[], string[]];
  return `up to ${heap} after a page of the first tenth, ${heapGrowth} times that to the end; of the machine it takes ${peak}, ${peakGrowth} times that to the end`;
}
