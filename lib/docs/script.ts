import path from 'docs:script';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Answer } from '../contract/answer.ts';
import { Failure } from '../failure/failure.ts';
import type { Settings } from '../instance/settings.ts';

/** Compressed file next to the code; its name changes with its content. */
const FILE = basename(path);

/** Name of the script in its URL. */
export const SCRIPT = FILE.replace(/gz$/, 'js');

let compressed: Buffer | undefined;

/**
 * The script of the page, which the build compresses.
 *
 * @param name from the URL
 * @throws Failure `docs_not_found` for another name, or when the instance does not publish its documentation
 */
export function docsScript(name: string, { Docs }: Pick<Settings, 'Docs'>) {
  if (!Docs || name !== SCRIPT) throw new Failure('docs_not_found');
  compressed ??= readFileSync(join(import.meta.dirname, FILE));
  return new Answer('', { type: 'text/javascript; charset=utf-8', gzipped: compressed });
}
