// Runs before the sources, which older versions of Node.js cannot load; it must run on all versions.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const NEEDED = 24;

const problem = !existsSync(join(__dirname, '../node_modules'))
  ? 'The packages are not installed. Install them: npm ci'
  : Number.parseInt(process.versions.node, 10) < NEEDED
    ? `Node ${NEEDED} is required, and this is ${process.versions.node}. npm and npx use the one that "npm ci" installs; if scripts were disabled: npm rebuild node --ignore-scripts=false`
    : undefined;
if (problem) {
  console.error(problem);
  process.exit(1);
}

// Caches the compiled sources until they change, which halves the time of a start.
process.env.NODE_COMPILE_CACHE ??= join(__dirname, '../node_modules/.cache/core-account/compiled');
require('node:module').enableCompileCache();
