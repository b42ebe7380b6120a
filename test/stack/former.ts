import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const CHANGELOG = 'CHANGELOG.md';
const MAX_ARCHIVE_BYTES = 2 ** 28;

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: ROOT, maxBuffer: MAX_ARCHIVE_BYTES, stdio: ['ignore', 'pipe', 'ignore'] });

/** Whether a commit is in this clone: a shallow one has the last only, and an archive none. */
export const hasCommit = (commit: string) =>
  spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT }).status === 0;

/**
 * The commit of the version before this tree: that of the heading below the first section with changes. The first version
 * names the commit that it compares with.
 */
export function formerCommit(): string {
  const sections = readFileSync(join(ROOT, CHANGELOG), 'utf8')
    .split(/^(?=## \[)/m)
    .slice(1);
  const changed = sections.findIndex((section) => /^- /m.test(section));
  const [present = '', before] = sections.slice(changed);
  const compared = /compares with commit\s+`(\w+)`/.exec(present)?.[1];
  const [heading = ''] = before?.split('\n') ?? [];
  return heading ? addedBy(heading) : (compared as string);
}

/** The first commit whose changelog has a heading; the heading itself, which is no commit, if none is in this clone. */
function addedBy(heading: string): string {
  try {
    const [first] = `${git('log', '--reverse', '--format=%H', '-S', heading, '--', CHANGELOG)}`.split('\n');
    return first || heading;
  } catch {
    return heading;
  }
}

/** Checks out a commit into an empty folder, and installs what it needs. */
export function checkOut(commit: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', commit) });
  execFileSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'pipe' });
}
