import { globSync } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { contracts } from '#lib/routes';
import { SETTING_NAMES } from '#lib/settings';
import { PAGES, withGeneratedParts } from '../../infra/docs.ts';

const PAGE_FILES = globSync(
  '{README.md,lib/**/README.md,infra/**/README.md,test/README.md,test/*/README.md}',
);

test.each(Object.entries(PAGES))(
  'the tables of %s are those of the code (npm run docs)',
  async (page, parts) => {
    const text = await readFile(page, 'utf8');
    expect(text).toBe(withGeneratedParts(text, parts));
  },
);

test('the README names every path and every setting, in fewer than 300 lines', async () => {
  const readme = await readFile('README.md', 'utf8');
  for (const { path } of contracts) expect(readme).toContain(`\`${path}\``);
  for (const name of SETTING_NAMES) expect(readme).toContain(`Settings:${name}`);
  expect(readme.split('\n').length).toBeLessThan(300);
});

test.each(PAGE_FILES)('every link and every file that %s names leads somewhere', async (page) => {
  const text = await readFile(page, 'utf8');
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, link]) => link as string);
  for (const link of links) await access(join(dirname(page), link));
  const files = [...text.matchAll(/`((?:lib|infra|functions|test)\/[\w./-]+\.\w+)`/g)].map(
    ([, file]) => file as string,
  );
  for (const file of files) await access(file);
});
