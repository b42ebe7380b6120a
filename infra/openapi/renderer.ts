import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Plugin } from 'esbuild';
import { bestEffort } from '#lib/best-effort';
import project from '../../package.json' with { type: 'json' };
import { START } from './page.ts';

const RENDERER = '@scalar/fastify-api-reference';

/** Version of the script: it changes with the renderer and with {@link START}. */
const VERSION = createHash('sha256')
  .update(`${project.devDependencies[RENDERER]} ${START}`)
  .digest('hex')
  .slice(0, 12);

/**
 * Resolves the import of `docs:script` to a compressed file: the renderer of the page and its start.
 *
 * @param cache folder that keeps the file between builds, since compression takes 1.5 s
 */
export const docsScript = (cache: string): Plugin => ({
  name: 'docs-script',
  setup(build) {
    build.onResolve({ filter: /^docs:script$/ }, () => ({ path: 'scalar.gz', namespace: 'docs' }));
    build.onLoad({ filter: /.*/, namespace: 'docs' }, async () => ({
      contents: await compressedScript(join(cache, `.docs-script-${VERSION}`)),
      loader: 'file',
    }));
  },
});

async function compressedScript(file: string): Promise<Buffer> {
  const kept = await readFile(file).catch(() => undefined);
  if (kept) return kept;
  const made = await promisify(gzip)(`${await rendererSource()}\n${START}`, { level: 9 });
  // Without a cache, the next build compresses again.
  await bestEffort(keep(file, made));
  return made;
}

/** Writes a file atomically: several processes may build at once. */
async function keep(file: string, content: Buffer) {
  const temporary = `${file}.${process.pid}`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(temporary, content);
  await rename(temporary, file);
}

/**
 * The renderer in one file with its dependencies, which one route of the package answers. The package of the renderer alone
 * would add 270 packages.
 */
async function rendererSource(): Promise<string> {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const sent: string[] = [];
  const reply = { header: () => reply, send: (text: string) => sent.push(text) };
  const route = ({ url, handler }: { url: string; handler: (request: object, to: typeof reply) => void }) => {
    if (url.endsWith('.js')) handler({}, reply);
  };
  const host = { route, hasPlugin: () => false };
  const options = { routePrefix: '/docs', configuration: { url: 'openapi.json' } };
  type Register = (to: typeof host, given: typeof options, next: () => void) => void;
  (plugin as unknown as Register)(host, options, () => {});
  const [source] = sent;
  if (!source) throw new Error(`${RENDERER} has no route with a script`);
  return source;
}
