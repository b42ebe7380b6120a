import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openProxy } from '../wire/dynamodb-proxy.ts';
import { newFolder } from './folder.ts';
import type { InstanceProcess } from './instance-process.ts';
import { run } from './operator.ts';

/** A second way to an instance, by a wire to its table on which a command is killed when it has made some of its changes. */
export async function openWired({ data, ready }: InstanceProcess) {
  const wired = await newFolder();
  const wire = await openProxy(ready.dynamodb, 0);
  await cp(data, wired, { recursive: true, filter: (path) => !/sqlite|lock/.test(path) });
  const file = join(wired, 'instance.json');
  const instance = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...instance, dynamodb: wire.url }));
  return {
    wired,
    close: wire.close,
    /** Kills a command with -9 once it has made so many changes, and has others under way. */
    async killed(args: readonly string[], change: string, changes: number) {
      const end = new AbortController();
      let made = 0;
      wire.reset();
      wire.script((operation) => {
        if (operation !== change || ++made <= changes) return undefined;
        end.abort();
        return 'hang';
      });
      const { stdout } = await run(args, '', { where: ['--data', wired], signal: end.signal });
      await wire.settled();
      expect(stdout, 'it has not come to its end').toBe('');
    },
  };
}
