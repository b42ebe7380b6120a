import path from 'docs:script';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Answer } from '../contract/answer.ts';
import { Failure } from '../failure.ts';
import type { Settings } from '../settings.ts';
import { published } from './published.ts';

/** Stands beside the code, compressed; its name changes with what it says. */
const FILE = basename(path);

/** Its name on the wire. */
export const SCRIPT = FILE.replace(/gz$/, 'js');

let compressed: Buffer | undefined;

/**
 * The script of the page: compressed when it was built, 1.2 of 4.3 MB.
 *
 * @param name that the page gives it
 * @throws Failure `docs_not_found` for another name, and where the instance keeps its documentation to itself
 */
export function docsScript(name: string, settings: Pick<Settings, 'Docs'>) {
  published(settings);
  if (name !== SCRIPT) throw new Failure('docs_not_found');
  compressed ??= readFileSync(join(import.meta.dirname, FILE));
  return new Answer('', { type: 'text/javascript; charset=utf-8', gzipped: compressed });
}
