import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import startInstance from '../integration/global-setup.ts';
import { ISSUERS } from '../integration/issuers.ts';
import { RESOURCES } from '../integration/resources.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the cloud assembly: what `cdk deploy` would upload. */
    assembly: string;
  }
}

/** Synthesizes the stack with the code of its functions, and starts a local instance for their resources. */
export default async function setup(project: TestProject) {
  const assembly = await mkdtemp(join(tmpdir(), 'assembly-'));
  // As on the local instance of the suite, an account can be erased on the day of its cancellation.
  const settings = ['ErasureAfterDays=0', `Issuers=${ISSUERS}`, `Resources=${RESOURCES}`];
  const options = settings.flatMap((setting) => ['-c', `Settings:${setting}`]);
  const synthesized = promisify(execFile)('cdk', ['synth', '--quiet', '--output', assembly, ...options]);
  const [stop] = await Promise.all([startInstance(project), synthesized]);
  project.provide('assembly', assembly);
  return async () => {
    await stop?.();
    await rm(assembly, { recursive: true });
  };
}
