import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startInstance } from './instance.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Base URL of the service under test. */
    baseUrl: string;
    /** An API token with the roles sys_administrator and sys_tokens. */
    adminToken: string;
    /** Data directory of the instance under test; for a deployed stack, where the suite keeps its own notes. */
    data: string;
    /** Name of the deployed stack, if it is one. */
    stack: string | undefined;
    /** File that collects every credential the suite has used, one a line. */
    credentials: string;
  }
}

/**
 * Starts a local instance for the whole suite. With `BASE_URL` and `ADMIN_TOKEN` the suite runs against that
 * service instead: a deployed stack (`STACK`, for the operator commands), or a local instance (`DATA`).
 */
export default async function setup({ provide }: TestProject) {
  const notes = await mkdtemp(join(tmpdir(), 'core-account-'));
  const credentials = join(notes, 'credentials');
  await writeFile(credentials, '');
  provide('credentials', credentials);
  provide('stack', process.env['STACK']);

  const { BASE_URL, ADMIN_TOKEN } = process.env;
  if (BASE_URL && ADMIN_TOKEN) {
    provide('baseUrl', BASE_URL.replace(/\/$/, ''));
    provide('adminToken', ADMIN_TOKEN);
    provide('data', process.env['DATA'] ?? '.local');
    return () => rm(notes, { recursive: true });
  }

  const data = join(notes, 'data');
  const instance = await startInstance({ data, env: { Settings__BcryptCost: '10' } });
  provide('baseUrl', instance.ready.url);
  provide('adminToken', instance.ready.admin.token as string);
  provide('data', data);
  return async () => {
    await instance.stop();
    await rm(notes, { recursive: true });
  };
}
