import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ROOT } from '#infra/bundle';
import manifest from './client/package.json' with { type: 'json' };

const FOLDER = join(ROOT, 'test/runtime/client');
const INSTALLED = join(FOLDER, 'node_modules/aws-lambda-ric');

/** The program that Lambda starts for a function, as `npm ci` compiles it here. */
export const CLIENT = join(INSTALLED, 'index.mjs');

/** It takes 40 s on two idle cores, 72 s on busy ones; most of it is curl. */
const INSTALLS_WITHIN_S = 240;

/** The status of `timeout` itself. */
const TIMED_OUT = 124;

/** What its compilation calls; node-gyp is written in Python. */
const TOOLS = ['cmake', 'make', 'c++', 'python3', 'xz', 'timeout'];

/** Why this machine cannot compile it, if it cannot. */
function missing(): string | undefined {
  if (process.platform !== 'linux') return `is for Linux, not for ${process.platform}`;
  const absent = TOOLS.filter((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0);
  return absent.length > 0 ? `needs ${absent.join(', ')} on the PATH` : undefined;
}

function isInstalled(): boolean {
  // The last file that its compilation writes.
  if (!existsSync(join(INSTALLED, 'rapid-client.node'))) return false;
  const { version } = JSON.parse(readFileSync(join(INSTALLED, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version === manifest.devDependencies['aws-lambda-ric'];
}

/** The headers of the Node.js that runs this, as its npm package holds them; otherwise node-gyp downloads them. */
function headers(): Record<string, string> {
  const node = createRequire(join(ROOT, 'node_modules/node/package.json'));
  try {
    const folder = dirname(node.resolve(`node-${process.platform}-${process.arch}/package.json`));
    return existsSync(join(folder, 'include/node/common.gypi')) ? { npm_config_nodedir: folder } : {};
  } catch {
    return {};
  }
}

/**
 * Installs the runtime interface client, once: its folder outlives the `npm ci` of the project.
 *
 * @returns why it is not there, if it is not
 */
export function installClient(): string | undefined {
  if (isInstalled()) return undefined;
  const reason = missing();
  if (reason !== undefined) return `the runtime interface client ${reason}`;
  const started = performance.now();
  const command = [`${INSTALLS_WITHIN_S}`, 'npm', 'ci', '--silent', '--prefix', FOLDER];
  const { status, stderr } = spawnSync('timeout', command, {
    env: { ...process.env, ...headers() },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0 || !isInstalled()) {
    console.error(stderr.trim().slice(-2000));
    const ending = status === TIMED_OUT ? `not within ${INSTALLS_WITHIN_S} s` : `npm ci ended with ${status}`;
    return `the runtime interface client could not be compiled: ${ending}`;
  }
  console.log(
    `The runtime interface client was compiled in ${Math.round((performance.now() - started) / 1000)} s.`,
  );
  return undefined;
}
