import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from '../cache.ts';

/** The package that depends on Lambda's runtime interface client. */
export const PACKAGE = join(import.meta.dirname, 'client');

const { arch, versions } = process;
const lock = readFileSync(join(PACKAGE, 'package-lock.json'));
const version = createHash('sha256').update(`${arch} ${versions.modules} `).update(lock).digest('hex');

/** The package with its compiled client: another version or another Node has another folder. */
export const CLIENT_FOLDER = join(CACHE, `runtime-client-${version.slice(0, 16)}`);

/** The program that Lambda starts for a function. */
export const CLIENT = join(CLIENT_FOLDER, 'node_modules/aws-lambda-ric/index.mjs');

/** The tests under Lambda's own runtime interface client: apart from all others, which need no compiler. */
export const runtime = {
  name: 'runtime',
  include: ['test/runtime/**/*.test.ts'],
  globalSetup: 'test/runtime/global-setup.ts',
  setupFiles: 'test/integration/setup.ts',
};
