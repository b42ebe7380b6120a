import type { Command } from 'commander';
import { openSecrets } from '#lib/session/signing-key';
import { revoke } from './revocation.ts';
import { finished, progressOf, startRotation } from './rotation.ts';
import { run } from './run.ts';

/** `admin keys ...`: the keys that sign session tokens. */
export function keyCommands(program: Command): void {
  const keys = program.command('keys').description('the keys that sign session tokens');

  keys
    .command('rotate')
    .description('start a rotation now; sessions that the old key signed stay valid until they expire')
    .option('--wait', 'wait until the new key is current')
    .action(
      run(async ({ signingKey, runtime: { table } }, { wait = false }: { wait?: boolean }) => {
        const secrets = openSecrets();
        const started = await startRotation(secrets, signingKey);
        const progress = await (wait ? finished : progressOf)(secrets, signingKey, table, started.version);
        return { ...started, ...progress };
      }),
    );

  keys
    .command('revoke <kid>')
    // The ID of a key may begin with a hyphen.
    .allowUnknownOption()
    .description('end a leaked key and every session that it signed, at once')
    .action(
      run(({ signingKey, runtime: { table } }, kid: string) => revoke(openSecrets(), signingKey, table, kid)),
    );
}
