import { gunzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { adminPage } from '../../infra/bundle/admin-page.ts';
import { ROOT } from '../../infra/bundle.ts';
import { LANGUAGES, type Language } from '../../lib/admin-page/languages.ts';

/** The files of the page with their compressed sizes in bytes, and the names of those that it loads at once. */
async function built(isDevelopment?: boolean) {
  const { outputFiles } = await build({
    stdin: { contents: `export { files, scripts, style } from 'admin:files'`, resolveDir: ROOT },
    bundle: true,
    write: false,
    format: 'esm',
    plugins: [adminPage(ROOT, isDevelopment)],
  });
  const url = `data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? '').toString('base64')}`;
  const { files, scripts, style } = (await import(url)) as {
    files: readonly { name: string; content: string }[];
    scripts: Readonly<Record<Language, { script: string; parts: readonly string[] }>>;
    style: string;
  };
  return {
    atOnce: LANGUAGES.map((language) => [style, scripts[language].script, ...scripts[language].parts]),
    files: files.map(({ name, content }) => {
      const packed = Buffer.from(content, 'base64');
      return { name, size: packed.length, text: gunzipSync(packed).toString() };
    }),
  };
}

test('the page has the screen of its parts only in development', async () => {
  const has = async (isDevelopment?: boolean) =>
    (await built(isDevelopment)).files.some(({ text }) => text.includes('What the screens are composed of'));
  expect([await has(true), await has()]).toEqual([true, false]);
});

test('the library of workbooks is a script of at most 28 kB, which the page does not load at once', async () => {
  const { files, atOnce } = await built();
  const having = files.filter(({ text }) => text.includes('xl/worksheets/sheet'));
  expect(having).toHaveLength(1);
  expect(having[0]?.size).toBeLessThan(28_000);
  expect(atOnce.flat()).not.toContain(having[0]?.name);
  expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(atOnce.flat()));
});

test.each(LANGUAGES)('the page in %s loads at most 75 kB at once, in a few files', async (language) => {
  const { files, atOnce } = await built();
  const first = atOnce[LANGUAGES.indexOf(language)] ?? [];
  const sizes = first.map((name) => files.find((file) => file.name === name)?.size ?? Number.NaN);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(75_000);
  expect(first.length).toBeLessThanOrEqual(6);
});
