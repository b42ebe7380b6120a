import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ROOT } from '#infra/bundle';

const FOLDER = join(ROOT, 'test/runtime/client');
const INSTALLED = join(FOLDER, 'node_modules/aws-lambda-ric');

/** The program that Lambda starts for a function. */
export const CLIENT = join(INSTALLED, 'index.mjs');

/** The last file that its compilation writes. */
const COMPILED = join(INSTALLED, 'rapid-client.node');

/** Compilation takes 40 s on two idle cores. */
const TIMEOUT_MS = 240_000;
const TOOLS = ['cmake', 'make', 'c++', 'python3', 'xz'];

/** The headers of the running Node.js, if its npm package holds them; otherwise node-gyp downloads them. */
function headers(): Record<string, string> {
  try {
    const node = createRequire(join(ROOT, 'node_modules/node/package.json'));
    const folder = dirname(node.resolve(`node-${process.platform}-${process.arch}/package.json`));
    return existsSync(join(folder, 'include/node/common.gypi')) ? { npm_config_nodedir: folder } : {};
  } catch {
    return {};
  }
}

/** Compiles the runtime interface client, once. @returns the reason if this machine cannot */
export function installClient(): string | undefined {
  if (existsSync(COMPILED)) return undefined;
  const absent = TOOLS.filter((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0);
  if (absent.length > 0) return `the runtime interface client needs ${absent.join(', ')} on the PATH`;
  const { status, stderr } = spawnSync('npm', ['ci', '--silent', '--prefix', FOLDER], {
    env: { ...process.env, ...headers() },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
  });
  if (status === 0 && existsSync(COMPILED)) return undefined;
  console.error(stderr.trim().slice(-2000));
  return `the runtime interface client could not be compiled: npm ci ended with ${status ?? 'a timeout'}`;
}
