import { RotateSecretCommand } from '@aws-sdk/client-secrets-manager';
import type { Command } from 'commander';
import { openSecrets } from '#lib/session/signing-key';
import { run } from './run.ts';

/** `admin keys ...`: the keys that sign session tokens. */
export function keyCommands(program: Command): void {
  program
    .command('keys')
    .description('the keys that sign session tokens')
    .command('rotate')
    .description('start a rotation now; tokens that the old key has signed stay valid until they expire')
    .action(
      run(async ({ signingKey }) => {
        const { VersionId } = await openSecrets().send(
          new RotateSecretCommand({ SecretId: signingKey, RotateImmediately: true }),
        );
        return { version: VersionId };
      }),
    );
}
