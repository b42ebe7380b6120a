import { randomInt } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { bundle } from '../../infra/bundle.ts';
import { SEED } from '../names.ts';
import { newFolder, removeFolders } from '../unit/support/folder.ts';
import { startInstance } from './instance-process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Warnings of the build, if the integration tests have built the functions. */
    warnings: readonly string[] | undefined;
    /** Base URL of the service under test. */
    baseUrl: string;
    /** An API token with the roles sys_administrator and sys_tokens. */
    adminToken: string;
    /** Data directory of the instance under test, if it is a local one. */
    data: string;
    /** Name of the deployed stack, if it is one. */
    stack: string | undefined;
  }
}

/** Another service keeps the accounts of earlier runs, so their names are new in each. */
const seedOf = ({ SEED: chosen, BASE_URL }: NodeJS.ProcessEnv) =>
  chosen || (BASE_URL ? `${randomInt(2 ** 32)}` : SEED);

/**
 * Starts a local instance for the whole suite. With `BASE_URL` and `ADMIN_TOKEN` the suite runs against that
 * service instead: a deployed stack (`STACK`, for the operator commands), or a local instance (`DATA`).
 */
export default async function setup(project: TestProject) {
  const { provide, vitest } = project;
  const build = async () => {
    // `.ci/run` has them built by its first command.
    if (process.env['FUNCTIONS_BUILT']) return;
    const warnings = (await bundle()).warnings.map(({ text }) => text);
    // To all projects: test/infra/bundle.test.ts does not build them again.
    vitest.provide('warnings', warnings);
  };
  await build();
  const seed = seedOf(process.env);
  console.log(`SEED=${seed}`);
  provide('seed', seed);
  let reruns = 0;
  project.onTestsRerun(async () => {
    // The instance has the accounts of the runs before.
    provide('seed', `${seed} rerun ${++reruns}`);
    await build();
  });
  provide('stack', process.env['STACK']);

  const { BASE_URL, ADMIN_TOKEN } = process.env;
  if (BASE_URL && ADMIN_TOKEN) {
    provide('baseUrl', BASE_URL.replace(/\/$/, ''));
    provide('adminToken', ADMIN_TOKEN);
    provide('data', process.env['DATA'] ?? '.local');
    return undefined;
  }

  const data = newFolder();
  const instance = await startInstance({
    data,
    // While tests are watched, it follows the sources as they do.
    args: ['--no-demo', '--enforce-iam', ...(vitest.config.watch ? ['--watch'] : [])],
  });
  provide('baseUrl', instance.ready.url);
  provide('adminToken', instance.ready.admin.token as string);
  provide('data', data);
  return async () => {
    await instance.stop();
    if (vitest.state.getCountOfFailedTests() > 0) console.error(`Logs and data are kept in ${data}`);
    else removeFolders();
  };
}
