import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const WORKFLOWS = globSync('.github/workflows/*.yml');

test('the changelog has the three surfaces and upgrade notes for unreleased changes', () => {
  const [, unreleased] = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);
  expect(unreleased).toMatch(/^\[Unreleased\]/);
  expect(unreleased?.match(/(?<=^### ).+$/gm)).toEqual([
    'HTTP contract',
    'Event schemas',
    'Stack',
    'Upgrade',
  ]);
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
