import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#infra/bundle';

/**
 * AWS's own DynamoDB Local 1.25.1, as AWS ships it with Amplify: the newest that an npm package holds. The package is
 * Apache-2.0, the program in it is not: the Amazon DynamoDB Local License Agreement (`emulator/LICENSE.txt`) is for
 * who has an AWS account, and forbids to pass it on. So it is fetched by who runs it, and is no dependency.
 */
const PACKAGE = 'amplify-dynamodb-simulator@2.9.30';
const INTEGRITY =
  'sha512-xTeeRLvzEfqyd5lh3bH4c0kHvSHHmmhD5ZDsHFKAQ5g2Zl6JqlFdutaQhCLHzxEp6Ry1o7TB6niIoXuQAnSewQ==';

const CACHE = join(ROOT, 'node_modules/.cache/core-account');

/**
 * The folder of `DynamoDBLocal.jar`; 56 MB are downloaded where it is not there yet. Undefined where npm cannot fetch
 * them.
 *
 * @throws Error where what was downloaded is not what is expected, before any of it is unpacked
 */
export function findDynamoDbLocal(): string | undefined {
  const folder = join(CACHE, PACKAGE.replace('@', '-'));
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const download = mkdtempSync(join(CACHE, 'download-'));
  try {
    const { status, stdout } = spawnSync('npm', ['pack', PACKAGE, '--json', '--pack-destination', download], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (status !== 0) return undefined;
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    const archive = join(download, filename);
    const integrity = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
    if (integrity !== INTEGRITY)
      throw new Error(`${PACKAGE} has the integrity ${integrity}, not ${INTEGRITY}`);
    execFileSync('tar', ['-xzf', archive, '-C', download, 'package/emulator']);
    renameSync(join(download, 'package/emulator'), folder);
  } finally {
    rmSync(download, { recursive: true });
  }
  return folder;
}
