// Loaded before the sources, which older versions of Node.js cannot read: it must run on all of them.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const NEEDED = 24;

const problem = !existsSync(join(__dirname, '../node_modules'))
  ? 'The packages are not installed. Install them: npm ci'
  : Number.parseInt(process.versions.node, 10) < NEEDED
    ? `Node ${NEEDED} is needed, and this is ${process.versions.node}. "npm ci" brings it along, unless scripts are turned off. Then:\n  npm rebuild node --ignore-scripts=false`
    : undefined;
if (problem) {
  console.error(problem);
  process.exit(1);
}

// What is loaded is kept as it was compiled, its types left out, for as long as its source is the same: half of a start.
process.env.NODE_COMPILE_CACHE ??= join(__dirname, '../node_modules/.cache/core-account/compiled');
require('node:module').enableCompileCache();
