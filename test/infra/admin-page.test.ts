import { gunzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { adminPage } from '../../infra/bundle/admin-page.ts';
import { ROOT } from '../../infra/bundle.ts';

/** The scripts of the page. */
async function scriptsOf(isDevelopment?: boolean) {
  const { outputFiles } = await build({
    stdin: { contents: `export { files } from 'admin:files'`, resolveDir: ROOT },
    bundle: true,
    write: false,
    format: 'esm',
    plugins: [adminPage(ROOT, isDevelopment)],
  });
  const contents = [...(outputFiles[0]?.text ?? '').matchAll(/"?content"?: "([^"]+)"/g)];
  return contents.map(([, content = '']) => gunzipSync(Buffer.from(content, 'base64')).toString()).join('\n');
}

test('the page has the screen of its parts only in development', async () => {
  const text = 'What the screens are composed of';
  expect((await scriptsOf(true)).includes(text)).toBe(true);
  expect((await scriptsOf()).includes(text)).toBe(false);
});
