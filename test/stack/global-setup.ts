import { LambdaClient } from '@aws-sdk/client-lambda';
import type { TestProject } from 'vitest/node';
import { ISSUERS } from '../integration/issuers.ts';
import { RESOURCES } from '../integration/resources.ts';
import { SEED } from '../names.ts';
import { newFolder, removeFolders } from '../unit/support/folder.ts';
import { admin, type Cloud, deployService, type Outputs, run, startCloud } from './cloud.ts';
import { isRequested, writeEvidence } from './evidence.ts';
import { rotateBoth } from './rotation.ts';

declare module 'vitest' {
  interface ProvidedContext {
    cloud: Cloud;
    /** Outputs of the stack that all parts share. */
    outputs: Outputs;
  }
}

/** Name of the stack that all parts share. */
export const STACK = 'core-account';

const report = (error: unknown) => {
  console.error(error);
  process.exitCode = 1;
};

/** Deploys the service, and creates its signing keys and its first administrator. */
export default async function setup({ provide, vitest }: TestProject) {
  const started = Date.now();
  const log = (what: string) => console.log(`${Math.round((Date.now() - started) / 1000)} s  ${what}`);
  const folder = newFolder();
  const { stop, ...cloud } = await startCloud(folder);
  log('bootstrapped');
  // The tests over HTTP erase an account as soon as they have cancelled it.
  const outputs = await deployService(cloud, STACK, {
    options: [
      'Settings:ErasureAfterDays=0',
      `Settings:Issuers=${ISSUERS}`,
      `Settings:Resources=${RESOURCES}`,
    ],
  });
  log('deployed');
  Object.assign(process.env, cloud.env);
  await rotateBoth(new LambdaClient(), STACK, outputs);
  const { FirstAdministratorCommand } = outputs;
  await run(cloud, ['bash', '-c', FirstAdministratorCommand as string], 'the password of the first one\n');
  const token = await admin(cloud, STACK, 'token', 'create', 'stack', 'admin');
  log('ready');
  provide('seed', SEED);
  provide('cloud', cloud);
  provide('outputs', outputs);
  provide('baseUrl', outputs['ApiUrl'] as string);
  provide('adminToken', token.trim());
  provide('stack', STACK);
  return async () => {
    const seconds = (Date.now() - started) / 1000;
    const written = isRequested() ? await writeEvidence(vitest, cloud, STACK, seconds).catch(report) : true;
    await stop();
    if (!written || vitest.state.getCountOfFailedTests() > 0)
      console.error(`Logs and assemblies are kept in ${folder}`);
    else removeFolders();
  };
}
