import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folders } from '../integration/folder.ts';
import type { Deployed } from './deployed.ts';

/** What no function can undercut: it loads nothing. */
export function bare(): Deployed {
  const folder = mkdtempSync(join(tmpdir(), 'bare-'));
  folders.push(folder);
  writeFileSync(join(folder, 'index.cjs'), 'exports.handler = async () => ({ statusCode: 200 });');
  return { id: 'a bare handler', folder, handler: 'index.handler', memory: 512, timeout: 15, variables: {} };
}
