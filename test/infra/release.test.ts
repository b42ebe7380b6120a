import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const WORKFLOWS = globSync('.github/workflows/*.yml');

const VERSIONS = readFileSync('CHANGELOG.md', 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((section) => [/^\[(.+?)\]/.exec(section)?.[1] as string, section] as const);

test('the changelog begins with unreleased changes', () => {
  expect(VERSIONS[0]?.[0]).toBe('Unreleased');
});

test.each(VERSIONS)(
  '%s has the three surfaces, and says what deployers of the version before do',
  (_, section) => {
    const headings = section.split(/^### /m).slice(1);
    expect(headings.map((each) => each.split('\n')[0])).toEqual([
      'HTTP contract',
      'Event schemas',
      'Stack',
      'Upgrade',
    ]);
    expect(headings.at(-1)?.split('\n').slice(1).join('').trim()).not.toBe('');
  },
);

test('the version of the package is the newest of the changelog', () => {
  const released = VERSIONS.find(([version]) => version !== 'Unreleased')?.[0];
  if (released) expect(JSON.parse(readFileSync('package.json', 'utf8')).version).toBe(released);
});

test.each(WORKFLOWS)(
  '%s pins actions by commit, has no stored key, and passes no input of a person into a shell',
  (path) => {
    const text = readFileSync(path, 'utf8');
    const actions = [...text.matchAll(/uses: (?!\.\/)(.+)$/gm)].map(([, action]) => action);
    for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
    expect(text).not.toMatch(/secrets\.|aws-secret-access-key/);
    const runs = text.match(/run: .*(?:\n {10,}.*)*/g) ?? [];
    expect(runs.filter((run) => run.includes('${{'))).toEqual([]);
  },
);
