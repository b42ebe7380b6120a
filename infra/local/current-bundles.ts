import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Built, bundle, DIST, ROOT } from '#infra/bundle';

/** What the bundles were made of, and what they are. */
interface Made {
  /** Files of packages, by their paths in the repository. */
  readonly packages: readonly string[];
  /** A hash of all that has a say in what is made. */
  readonly of: string;
  /** What tells files apart that were written at different times, by their paths. */
  readonly files: Readonly<Record<string, string>>;
}

/** Where that is noted: without it, functions are built. */
export const RECORD = join(DIST, '.made.json');

/** Who builds: contracts, which the OpenAPI document is made of, and all that bundles them. */
const SOURCES = ['functions', 'lib', 'infra'];

/** What decides which file of a package an import leads to; npm writes the second with every change of a package. */
const RESOLUTION = ['package.json', 'node_modules/.package-lock.json', 'tsconfig.json'];

/** A file that was changed since this process began may have been read before. */
const RACY_MS = 1000;

/** Bundles every function, unless the bundles stand there as the very same sources and packages have made them. */
export async function currentBundles(): Promise<void> {
  if (isCurrent()) return;
  const built = await bundle();
  // While the instance starts its first functions.
  setImmediate(() => record(built));
}

/** Whether the bundles are what would be built now. */
export function isCurrent(): boolean {
  try {
    const { packages, of, files } = JSON.parse(readFileSync(RECORD, 'utf8')) as Made;
    return (
      Object.entries(files).every(([path, version]) => versionOf(path) === version) && hashOf(packages) === of
    );
  } catch {
    // There is no record, or a file is gone.
    return false;
  }
}

/** Notes what was made. Where a source has changed meanwhile, or it cannot be written, the next start builds again. */
function record({ metafile, outputFiles }: Built): void {
  try {
    const packages = Object.keys(metafile.inputs).filter((path) => path.includes('node_modules/'));
    const changedAt = (path: string) => statSync(join(ROOT, path)).ctimeMs;
    const began = performance.timeOrigin - RACY_MS;
    if ([...sources(), ...packages].some((path) => changedAt(path) > began)) return;
    const files = Object.fromEntries(outputFiles.map(({ path }) => [path, versionOf(path)]));
    const made: Made = { packages, of: hashOf(packages), files };
    writeFileSync(RECORD, JSON.stringify(made));
  } catch {
    // As if there had been no time for it.
  }
}

const sources = () => [
  ...RESOLUTION,
  ...SOURCES.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length + 1)),
  ),
];

function hashOf(packages: readonly string[]): string {
  const { NODE_PATH, ESBUILD_BINARY_PATH } = process.env;
  const hash = createHash('sha256').update(
    JSON.stringify([ROOT, process.version, NODE_PATH, ESBUILD_BINARY_PATH]),
  );
  for (const path of [...sources().toSorted(), ...packages]) {
    const content = readFileSync(join(ROOT, path));
    hash.update(`\n${path} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** A bundle is replaced by another file, and never written to. */
function versionOf(path: string): string {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true });
  return `${ino} ${size} ${mtimeNs}`;
}
