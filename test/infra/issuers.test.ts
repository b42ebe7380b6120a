import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Architecture, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { expect, it } from 'vitest';
import { bundleOf } from '#infra/aws/code';
import { bundleFile } from '#infra/bundle';
import { settingsReadBy } from '#infra/bundle/settings';
import { readConfiguration } from '#infra/stages/configuration';
import { functions } from '#lib/routes';
import { refreshKeys } from '#lib/trust/jobs';
import { newFolder } from '../unit/support/folder.ts';
import './built.ts';

const ISSUERS = [{ name: 'gitlab', issuer: 'https://gitlab.com' }];
const readers: readonly string[] = functions
  .map(({ id }) => id)
  .filter((id) => settingsReadBy(bundleFile(id)).includes('Issuers'));

/** The folder of the code of a function, as it is uploaded. */
function assetOf(id: string, issuers: readonly object[]): string {
  const outdir = newFolder();
  const stack = new Stack(new App({ outdir, analyticsReporting: false }), 'Code');
  const configuration = readConfiguration({ 'Settings:Issuers': issuers });
  const { code } = bundleOf(configuration)(id);
  const runtime = Runtime.NODEJS_24_X;
  new LambdaFunction(stack, 'F', {
    runtime,
    architecture: Architecture.ARM_64,
    handler: 'index.handler',
    code,
  });
  (stack.node.root as App).synth();
  const [asset] = globSync(join(outdir, 'asset.*'));
  return asset as string;
}

it('functions that read the issuers have them in a file of their code, and others do not', () => {
  expect(readers).toContain(refreshKeys.id);
  for (const id of [...readers, 'system.ping']) {
    const file = join(assetOf(id, ISSUERS), 'issuers.json');
    expect(existsSync(file), id).toBe(readers.includes(id));
    if (readers.includes(id)) expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(ISSUERS);
  }
  expect(existsSync(join(assetOf(refreshKeys.id, []), 'issuers.json'))).toBe(false);
});

it('a function reads the file, and refuses localhost there', () => {
  const asset = assetOf(refreshKeys.id, ISSUERS);
  const env = {
    AWS_REGION: 'eu-west-1',
    TABLE_NAME: 'table',
    INSTANCE: 'instance',
    AWS_ACCESS_KEY_ID: 'a',
    AWS_SECRET_ACCESS_KEY: 'b',
  };
  const run = `require(process.argv[1]).handler({}, { awsRequestId: 'a' })
    .then(() => console.log('none'), ({ message }) => console.log(message))`;
  const answer = (issuers: readonly object[]) => {
    writeFileSync(join(asset, 'issuers.json'), JSON.stringify(issuers));
    const options = { env, encoding: 'utf8', timeout: 60_000 } as const;
    return execFileSync(process.execPath, ['-e', run, join(asset, 'index.cjs')], options)
      .trim()
      .split('\n')
      .at(-1);
  };
  expect(answer([])).toBe('none');
  expect(answer([{ name: 'trial', issuer: 'http://localhost:3100/github' }])).toBe(
    'Settings:Issuers: "trial" (1) issuer: Must be an https URL',
  );
});

it('only functions that read the issuers contain their schema, or fetch keys', () => {
  const containing = (text: string) =>
    functions.map(({ id }) => id).filter((id) => readFileSync(bundleFile(id), 'utf8').includes(text));
  expect(containing('with single hyphens in between')).toEqual(readers);
  const others = containing('jwks_uri is no URL').filter((id) => !readers.includes(id));
  expect(others).toEqual([]);
});
