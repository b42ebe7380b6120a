import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Plugin } from 'esbuild';
import { START } from './page.ts';

/** The package in the script, for its licence. It does not list its dependencies; comments in the script name some. */
export const RENDERER_PACKAGES = ['node_modules/@scalar/fastify-api-reference/'];

/** Resolves the import of `docs:script` to a compressed file: the renderer of the page and its start. */
export const docsScript: Plugin = {
  name: 'docs-script',
  setup(build) {
    build.onResolve({ filter: /^docs:script$/ }, () => ({ path: 'scalar.gz', namespace: 'docs' }));
    build.onLoad({ filter: /.*/, namespace: 'docs' }, async () => ({
      contents: await promisify(gzip)(`${await rendererSource()}\n${START}`, { level: 9 }),
      loader: 'file',
    }));
  },
};

/**
 * The renderer in one file with its dependencies, which one route of the package answers. The package of the renderer alone
 * would add 270 packages.
 */
export async function rendererSource(): Promise<string> {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const sent: string[] = [];
  const reply = { header: () => reply, send: (text: string) => sent.push(text) };
  const route = ({ url, handler }: { url: string; handler: (request: object, to: typeof reply) => void }) => {
    if (url.endsWith('.js')) handler({}, reply);
  };
  const options = { routePrefix: '/docs', configuration: { url: 'openapi.json' } };
  const register = plugin as unknown as (host: object, given: typeof options, next: () => void) => void;
  register({ route, hasPlugin: () => false }, options, () => {});
  const [source] = sent;
  if (!source) throw new Error('@scalar/fastify-api-reference has no route with a script');
  return source;
}
