import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { ROOT } from '#infra/bundle';
import { adminPage } from '#infra/bundle/admin-page';
import { violations, WCAG } from '../browser.ts';
import { heading, openAsAdministrator } from './page.ts';

interface File {
  readonly name: string;
  readonly type: string;
  readonly content: string;
}

/** Finds a file of the page in development, which has the screen of its parts, in place of a deployed one. */
async function developed(): Promise<(name: string) => File | undefined> {
  const { outputFiles } = await build({
    stdin: { contents: `export * from 'admin:files'`, resolveDir: ROOT },
    plugins: [adminPage(ROOT, true)],
    bundle: true,
    format: 'esm',
    write: false,
  });
  const { files, scripts, style } = await import(
    `data:text/javascript,${encodeURIComponent(`${outputFiles[0]?.text}`)}`
  );
  const own = (name: string) => (name.endsWith('.js') ? scripts.en.script : style);
  return (name) => files.find((file: File) => file.name === (name.startsWith('page-') ? own(name) : name));
}

/** Runs in the page: faults of its layout. */
const FAULTS = `[
  ...(document.documentElement.scrollWidth > innerWidth ? ['scrolls sideways'] : []),
  ...[...document.querySelectorAll('.notice > *')]
    .filter((each) => each.getBoundingClientRect().left < each.parentElement.getBoundingClientRect().left + 16)
    .map((each) => 'not beside the icon: ' + each.outerHTML),
]`;

test('every part is accessible and as wide as the screen, on a desk and on a phone, in light and dark', async () => {
  const { page, offences, close } = await openAsAdministrator();
  const fileOf = await developed();
  await page.route(/\/admin\/pa(ge|rt)-/, async (route) => {
    const file = fileOf(basename(route.request().url()));
    if (!file) return route.continue();
    const body = gunzipSync(Buffer.from(file.content, 'base64'));
    return route.fulfill({ contentType: file.type, body });
  });
  await page.evaluate(`location.hash = '#parts'`);
  await page.reload();
  await heading(page, 'Parts').waitFor();
  await page.evaluate('for (const each of document.querySelectorAll("main details")) each.open = true');
  const found: string[] = [];
  for (const width of [1280, 390])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.getByRole('button', { name: 'Notice' }).first().click();
      await page.locator('.notice').waitFor();
      const seen = [
        ...((await page.evaluate(FAULTS)) as string[]),
        ...(await violations(page, 'html', { runOnly: WCAG })),
      ];
      found.push(...seen.map((fault) => `${width} ${colorScheme}: ${fault}`));
    }
  expect([...found, ...offences]).toEqual([]);
  await close();
});
