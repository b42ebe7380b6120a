import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';

const PACKAGE = 'uuid';
const root = await mkdtemp(join(tmpdir(), 'bundles-'));
afterAll(() => rm(root, { recursive: true }));

/** A copy of all that is bundled, with one package of its own: what changes in it is seen by nobody else. */
async function copySources() {
  for (const name of ['functions', 'infra', 'lib', 'package.json', 'tsconfig.json'])
    await cp(name, join(root, name), { recursive: true });
  const packages = join(root, 'node_modules');
  await mkdir(packages);
  for (const name of await readdir('node_modules')) {
    const [from, to] = [join(process.cwd(), 'node_modules', name), join(packages, name)];
    if (name === PACKAGE || name === '.package-lock.json') await cp(from, to, { recursive: true });
    else await symlink(from, to);
  }
  // What is as young as the process that builds is not trusted.
  await sleep(1100);
}

/** Runs in the copy: changes one thing after the other, and undoes each. */
const PROGRAM = `
import { appendFileSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, statSync, writeFileSync } from 'node:fs';
import { currentBundles, isCurrent, RECORD } from './infra/local/current-bundles.ts';
const built = async () => { await currentBundles(); await new Promise(setImmediate); return isCurrent(); };
const edited = (path) => {
  const { size } = statSync(path);
  appendFileSync(path, ' ');
  return () => truncateSync(path, size);
};
const made = (path) => { writeFileSync(path, ''); return () => rmSync(path); };
const removed = (path) => { renameSync(path, 'away'); return () => renameSync('away', path); };
const replaced = (path) => { renameSync(path, 'away'); cpSync('away', path); return () => renameSync('away', path); };
mkdirSync(RECORD, { recursive: true });
const unnoted = await built();
rmSync(RECORD, { recursive: true });
const found = { 'where it cannot be noted': unnoted, 'at first': isCurrent(), 'once built': await built() };
const cases = {
  'a function changed': () => edited('functions/system/ping.ts'),
  'a rule changed': () => edited('lib/system/ping.ts'),
  'what builds them changed': () => edited('infra/bundle/unreachable.ts'),
  'a text of the OpenAPI document changed': () => edited('infra/openapi/texts/operations.ts'),
  'a file of a package changed': () => edited('node_modules/${PACKAGE}/dist-node/v7.js'),
  'settings of TypeScript changed': () => edited('tsconfig.json'),
  'package.json changed': () => edited('package.json'),
  'another variable for esbuild': () => { process.env.NODE_PATH = 'elsewhere'; return () => delete process.env.NODE_PATH; },
  'packages installed': () => edited('node_modules/.package-lock.json'),
  'a source added': () => made('lib/system/index.ts'),
  'a source removed': () => removed('lib/system/ping.ts'),
  'a bundle removed': () => removed('dist/system.ping/index.cjs'),
  'a bundle built by others': () => replaced('dist/system.ping/index.cjs'),
};
for (const [name, change] of Object.entries(cases)) {
  const undo = change();
  found[name] = isCurrent();
  undo();
  found[name + ', and undone'] = isCurrent();
}
edited('lib/system/ping.ts');
found['built from what has changed since the program began'] = await built();
console.log(JSON.stringify(found));
`;

test('bundles are built again unless sources, packages and the bundles are what they were', async () => {
  await copySources();
  const args = ['--input-type=module', '--eval', PROGRAM];
  const found = JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })) as object;
  const untrusted = Object.entries(found).filter(([name]) => !/once built|, and undone$/.test(name));
  const trusted = Object.entries(found).filter(([name]) => /once built|, and undone$/.test(name));
  expect(untrusted.filter(([, current]) => current)).toEqual([]);
  expect(trusted.filter(([, current]) => !current)).toEqual([]);
  expect(untrusted.length, 'cases').toBe(trusted.length + 2);
});
