import { spawnSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fillOnce } from '../cache.ts';
import { CLIENT_FOLDER, PACKAGE, runtime } from './project.ts';

/** Compilation takes 40 s on two idle cores. */
const TIMEOUT_MS = 900_000;
/** Tests send it few events. */
const UNOPTIMISED = { CFLAGS: '-O0', CXXFLAGS: '-O0' };
const TOOLS = ['cmake', 'make', 'c++', 'python3', 'xz'];

/** The headers of the running Node.js, if its npm package holds them; otherwise node-gyp downloads them. */
function headers(): Record<string, string> {
  try {
    const node = createRequire(createRequire(import.meta.url).resolve('node/package.json'));
    const folder = dirname(node.resolve(`node-${process.platform}-${process.arch}/package.json`));
    return existsSync(join(folder, 'include/node/common.gypi')) ? { npm_config_nodedir: folder } : {};
  } catch {
    return {};
  }
}

function compile(folder: string): boolean {
  cpSync(PACKAGE, folder, { recursive: true });
  const { status } = spawnSync('npm', ['ci', '--silent', '--prefix', folder], {
    env: { ...process.env, ...headers(), ...UNOPTIMISED, MAKEFLAGS: `-j${availableParallelism()}` },
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: TIMEOUT_MS,
  });
  return status === 0;
}

const absent = TOOLS.filter((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0);
if (absent.length > 0 || !fillOnce(CLIENT_FOLDER, compile)) {
  const reason = absent.length > 0 ? `needs ${absent.join(', ')} on the PATH` : 'could not be compiled';
  console.log(`skipped: the runtime interface client ${reason}`);
  process.exit(0);
}
if (process.argv[2] === '--compile') process.exit();
const args = ['run', '--config', 'test/vitest.config.ts', '--mode', runtime.name, ...process.argv.slice(2)];
process.exitCode = spawnSync('vitest', args, { stdio: 'inherit' }).status ?? 1;
