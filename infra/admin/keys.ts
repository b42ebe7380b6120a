import type { Command } from 'commander';
import { revoke } from './revocation.ts';
import { finished, keysOf, progressOf, startRotation } from './rotation.ts';
import { run } from './run.ts';

/** `admin keys ...`: the keys that sign session tokens. */
export function keyCommands(program: Command): void {
  const keys = program.command('keys').description('the keys that sign session tokens');

  keys
    .command('rotate')
    .description('start a rotation now; sessions that the old key signed stay valid until they expire')
    .option('--wait', 'wait until the new key is current')
    .action(
      run(async (target, { wait = false }: { wait?: boolean }) => {
        const store = keysOf(target);
        const started = await startRotation(store);
        return { ...started, ...(await (wait ? finished : progressOf)(store, started.version)) };
      }),
    );

  keys
    .command('revoke <kid>')
    // The ID of a key may begin with a hyphen.
    .allowUnknownOption()
    .description('end a leaked key and every session that it signed, at once')
    .action(run((target, kid: string) => revoke(keysOf(target), kid)));
}
