import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { contracts } from '#lib/routes';
import { SETTING_NAMES } from '#lib/settings';
import { withGeneratedParts } from '../../infra/docs.ts';

const readme = await readFile('README.md', 'utf8');

test('the tables of the README are those that the contracts generate (npm run docs renews them)', () => {
  expect(readme).toBe(withGeneratedParts(readme));
  for (const { path } of contracts) expect(readme).toContain(`\`${path}\``);
});

test('the README names every setting', () => {
  for (const name of SETTING_NAMES) expect(readme).toContain(`Settings:${name}`);
});
