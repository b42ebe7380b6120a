import { basename, extname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { LANGUAGES, type Language } from '../../lib/admin-page/languages.ts';

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
  // Screens but the first, and parts that few people need, are scripts of their own.
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

/** The page in a language, whose texts the condition of `#texts/*` in package.json selects. */
const buildPage = (root: string, language: Language, isDevelopment: boolean) =>
  build({
    ...OPTIONS,
    absWorkingDir: root,
    // esbuild adds `module` only without conditions of one's own.
    conditions: [language, 'module'],
    define: { IS_DEVELOPMENT: `${isDevelopment}` },
  });

const builtFrom = ({ outputs }: Metafile, source: string) =>
  Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source) ?? [];

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
      const builds = await Promise.all(LANGUAGES.map((language) => buildPage(root, language, isDevelopment)));
      const sources = builds.flatMap(({ metafile }) => Object.keys(metafile.inputs));
      const foreign = sources.filter(
        (path) => path.includes('node_modules/') && !PAGE_PACKAGES.some((name) => path.includes(name)),
      );
      const errors = foreign.map((path) => ({ text: `The administrator's page must not contain ${path}` }));
      const outputs = builds.flatMap(({ outputFiles }) => outputFiles);
      // Parts without a text, and the style, are the same in all languages.
      const files = [...new Map(outputs.map((file) => [basename(file.path), file])).values()].map(
        ({ path, contents }) => ({
          name: basename(path),
          type: TYPES[extname(path)] as string,
          content: gzipSync(contents, { level: 9 }).toString('base64'),
        }),
      );
      const scripts = Object.fromEntries(
        builds.map(({ metafile }, index) => {
          const [script = '', { imports = [] } = {}] = builtFrom(metafile, SCRIPT);
          const parts = imports.filter(({ kind }) => kind === 'import-statement');
          return [
            LANGUAGES[index],
            { script: basename(script), parts: parts.map(({ path }) => basename(path)) },
          ];
        }),
      );
      const [style = ''] = builds.flatMap(({ metafile }) => builtFrom(metafile, STYLE)[0] ?? []);
      const watched = [...new Set(sources)]
        .filter((path) => !path.includes('node_modules/'))
        .map((path) => `import ${JSON.stringify(path)};`);
      const exported = Object.entries({ files, scripts, style: basename(style) }).map(
        ([name, value]) => `export const ${name} = ${JSON.stringify(value)};`,
      );
      const warnings = builds.flatMap((built) => built.warnings);
      return { contents: [...watched, ...exported].join('\n'), resolveDir: root, errors, warnings };
    });
    onLoad({ filter: /.*/, namespace: WATCHED }, () => ({ contents: '' }));
  },
});
