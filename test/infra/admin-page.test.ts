import { gunzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { adminPage } from '../../infra/bundle/admin-page.ts';
import { ROOT } from '../../infra/bundle.ts';

/** The script of the page. */
async function scriptOf(isDevelopment?: boolean) {
  const { outputFiles } = await build({
    stdin: { contents: `export { script } from 'admin:files'`, resolveDir: ROOT },
    bundle: true,
    write: false,
    format: 'esm',
    plugins: [adminPage(ROOT, isDevelopment)],
  });
  const [, content = ''] = /"?content"?: "([^"]+)"/.exec(outputFiles[0]?.text ?? '') ?? [];
  return gunzipSync(Buffer.from(content, 'base64')).toString();
}

test('the page has the screen of its parts only in development', async () => {
  const text = 'What the screens are composed of';
  expect((await scriptOf(true)).includes(text)).toBe(true);
  expect((await scriptOf()).includes(text)).toBe(false);
});
