import { mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { registering, suffixesOnly } from '../../infra/bundle/edits.ts';
import { leaveOut } from '../../infra/bundle/leave-out.ts';
import { UNREACHABLE, type Unreachable } from '../../infra/bundle/unreachable.ts';
import { ROOT } from '../../infra/bundle.ts';
import { folders } from '../integration/folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'unreachable-'));
folders.push(folder);

/** What `code` exports, bundled as functions are. */
async function bundled<T>(code: string, all: readonly Unreachable[]): Promise<T> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: ROOT },
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    mainFields: ['module', 'main'],
    logLevel: 'silent',
    plugins: [leaveOut(all)],
  });
  const file = join(folder, `${Math.random()}.cjs`);
  writeFileSync(file, outputFiles[0]?.text ?? '');
  return createRequire(import.meta.url)(file) as T;
}

const LEFT_OUT: Unreachable = {
  module: 'uuid/dist-node/v7.js',
  because: 'it is left out in this test',
  throws: ['default'],
};

test('what is left out fails by its name where it is reached', async () => {
  const out = { ...LEFT_OUT, throws: ['v7'], code: 'export default v7;' };
  const { v7 } = await bundled<{ v7: () => string }>(`export { v7 } from 'uuid';`, [out]);
  expect(() => v7()).toThrow('v7 of uuid/dist-node/v7.js is not in this bundle');
});

test.each<[string, Partial<Unreachable>, string]>([
  [
    'a module that nothing imports',
    { module: 'uuid/dist-node/v0.js' },
    'uuid/dist-node/v0.js is to be left out',
  ],
  ['an export that is asked for, and was not named', { throws: ['other'] }, 'No matching export'],
  [
    'code that is not as it was',
    { edit: (code) => registering(['NoException'], code) },
    'No error is registered as NoException',
  ],
  ['a list that is not as it was', { edit: suffixesOnly }, 'The list of partitions is not where it was'],
])('%s fails the build', async (_, change, message) => {
  await expect(bundled(`export { v7 } from 'uuid';`, [{ ...LEFT_OUT, ...change }])).rejects.toThrow(message);
});

/** Regions of every partition, and one that nobody knows. */
const REGIONS =
  'us-east-1 eu-central-1 ap-southeast-7 cn-north-1 us-gov-west-1 us-gov-east-1 us-iso-east-1 us-isob-east-1 eu-isoe-west-1 us-isof-south-1 eusc-de-east-1 aws-global mars-1';

const CLIENTS = { CloudWatchLogsClient, DynamoDBClient, EventBridgeClient, SecretsManagerClient };
const PACKAGES: Readonly<Record<keyof typeof CLIENTS, string>> = {
  CloudWatchLogsClient: 'client-cloudwatch-logs',
  DynamoDBClient: 'client-dynamodb',
  EventBridgeClient: 'client-eventbridge',
  SecretsManagerClient: 'client-secrets-manager',
};

test('the clients of functions resolve endpoints as those of the SDK do', async () => {
  const code = Object.entries(PACKAGES).map(([name, from]) => `export { ${name} } from '@aws-sdk/${from}';`);
  // Of the other package of which something is left out, for that to be met.
  code.push(`export { jwtVerify } from 'jose';`);
  const own = await bundled<typeof CLIENTS>(code.join('\n'), UNREACHABLE);
  const cases = [
    ...REGIONS.split(' ').map((Region) => ({ Region })),
    { Endpoint: 'http://127.0.0.1:8000/x' },
  ];
  for (const name of Object.keys(CLIENTS) as (keyof typeof CLIENTS)[])
    for (const given of cases) {
      const parameters = { Region: 'us-east-1', UseFIPS: false, UseDualStack: false, ...given } as never;
      const endpointOf = (client: { config: unknown }) =>
        (client.config as { endpointProvider: (of: never, context: object) => unknown }).endpointProvider(
          parameters,
          {},
        );
      const region = { region: 'us-east-1' };
      expect(endpointOf(new own[name](region)), name).toEqual(endpointOf(new CLIENTS[name](region)));
    }
});
