import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package in a bundle, by its path below the root of the repository. */
const PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/**
 * The licences of third-party packages in a bundle, as text: each licence once, below the packages that it covers.
 *
 * @param inputs paths of the bundled modules, relative to `root`
 */
export function noticesOf(root: string, inputs: readonly string[]): string {
  const folders = new Set(inputs.flatMap((input) => PACKAGE.exec(input)?.[1] ?? []));
  const packages = [...folders].sort().map((folder) => packageIn(join(root, folder)));
  const byLicence = Map.groupBy(packages, ({ licence }) => licence);
  return [...byLicence]
    .map(([licence, covered]) => `${covered.map(({ title }) => title).join('\n')}\n\n${licence}\n`)
    .join(`\n${'-'.repeat(72)}\n\n`);
}

const known = new Map<string, { readonly title: string; readonly licence: string }>();

/** Reads each package once: most functions contain the same ones. */
function packageIn(folder: string) {
  const found = known.get(folder) ?? readPackage(folder);
  known.set(folder, found);
  return found;
}

function readPackage(folder: string) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : mitOf(folder, license);
  return { title: `${name} ${version} (${license})`, licence: text };
}

/** The notice in the README of a package, with the terms of MIT, which this project has too. @throws Error without it */
function mitOf(folder: string, license: unknown): string {
  const file = readdirSync(folder).find((entry) => /^readme\.md$/i.test(entry));
  const readme = file ? readFileSync(join(folder, file), 'utf8') : '';
  const notice = /^.*(?:Copyright |&copy; ).*$/m.exec(readme)?.[0];
  if (license !== 'MIT' || !notice) throw new Error(`Cannot find the licence of ${folder}`);
  const own = readFileSync(join(import.meta.dirname, '../../LICENSE'), 'utf8');
  return `${notice}\n\n${own.slice(own.indexOf('Permission')).trim()}`;
}
