import { basename, extname } from 'node:path';
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
  'hucre',
].map((name) => `node_modules/${name}/`);

/** Namespace of the page's sources in a bundle: without content, so that a watched build knows them. */
export const WATCHED = 'watched';

const SCRIPT = 'infra/admin-page/main.tsx';
const STYLE = 'infra/admin-page/style.css';

const OPTIONS = {
  entryPoints: [SCRIPT, STYLE],
  outdir: 'page',
  entryNames: 'page-[hash]',
  chunkNames: 'part-[hash]',
  bundle: true,
  // A part that few people need, such as the reader of files, is a script of its own.
  splitting: true,
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

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };

/**
 * Resolves the import of `admin:files` to the built scripts and the style of the administrator's page.
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
      const files = outputFiles.map(({ path, contents }) => ({
        name: basename(path),
        type: TYPES[extname(path)] as string,
        content: gzipSync(contents, { level: 9 }).toString('base64'),
      }));
      const builtFrom = (source: string) =>
        Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === source) ?? [];
      const [script = '', main] = builtFrom(SCRIPT);
      const [style = ''] = builtFrom(STYLE);
      const parts = main?.imports.filter(({ kind }) => kind === 'import-statement') ?? [];
      const page = {
        script: basename(script),
        style: basename(style),
        parts: parts.map(({ path }) => basename(path)),
      };
      const watched = sources
        .filter((path) => !path.includes('node_modules/'))
        .map((path) => `import ${JSON.stringify(path)};`);
      const exported = Object.entries({ files, page }).map(
        ([name, value]) => `export const ${name} = ${JSON.stringify(value)};`,
      );
      return { contents: [...watched, ...exported].join('\n'), resolveDir: root, errors, warnings };
    });
    onLoad({ filter: /.*/, namespace: WATCHED }, () => ({ contents: '' }));
  },
});
