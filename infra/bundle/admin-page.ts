import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Plugin } from 'esbuild';

/** The packages in the page, for their licences. */
export const PAGE_PACKAGES = [
  'preact',
  '@preact/signals',
  '@preact/signals-core',
  'zod',
  'csv-parse',
  'fastest-levenshtein',
].map((name) => `node_modules/${name}/`);

/** Namespace of the page's sources in a bundle: without content, so that a watched build knows them. */
export const WATCHED = 'watched';

const OPTIONS = {
  entryPoints: ['lib/admin-page/page/main.tsx', 'lib/admin-page/page/style.css'],
  outdir: 'page',
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: ['chrome129', 'firefox135', 'safari18.4'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  metafile: true,
  write: false,
  logLevel: 'silent',
} as const satisfies BuildOptions;

const TYPES = { script: ['js', 'text/javascript'], style: ['css', 'text/css'] } as const;

/**
 * Resolves the import of `admin:files` to the built script and style of the administrator's page.
 *
 * @param isDevelopment whether the page has the screen of its parts
 */
export const adminPage = (root: string, isDevelopment = false): Plugin => ({
  name: 'admin-page',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^admin:files$/ }, () => ({ path: 'files', namespace: 'admin' }));
    onResolve({ filter: /.*/, namespace: 'admin' }, ({ path }) => ({ path, namespace: WATCHED }));
    onLoad({ filter: /.*/, namespace: 'admin' }, async () => {
      const { outputFiles, metafile, warnings } = await build({
        ...OPTIONS,
        absWorkingDir: root,
        define: { IS_DEVELOPMENT: `${isDevelopment}` },
      });
      const sources = Object.keys(metafile.inputs);
      const foreign = sources.filter(
        (path) => path.includes('node_modules/') && !PAGE_PACKAGES.some((name) => path.includes(name)),
      );
      const errors = foreign.map((path) => ({ text: `The administrator's page must not contain ${path}` }));
      const files = Object.entries(TYPES).map(([name, [extension, type]]) => {
        const { contents } = outputFiles.find(({ path }) => path.endsWith(`.${extension}`)) as {
          contents: Uint8Array;
        };
        const hash = createHash('sha256').update(contents).digest('hex').slice(0, 12);
        const content = gzipSync(contents, { level: 9 }).toString('base64');
        return `export const ${name} = ${JSON.stringify({ name: `page-${hash}.${extension}`, type, content })};`;
      });
      const watched = sources
        .filter((path) => !path.includes('node_modules/'))
        .map((path) => `import ${JSON.stringify(path)};`);
      return { contents: [...watched, ...files].join('\n'), resolveDir: root, errors, warnings };
    });
    onLoad({ filter: /.*/, namespace: WATCHED }, () => ({ contents: '' }));
  },
});
