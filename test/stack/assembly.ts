import { createHash } from 'node:crypto';
import { copyFileSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rewritten, type Template } from './rewrite.ts';

interface AssetManifest {
  readonly files: Readonly<Record<string, { readonly source: { readonly path: string } }>>;
}

/**
 * Rewrites the template of a synthesized stack in its cloud assembly. The CDK uploads a template once under its hash, so
 * the new one gets its own.
 */
export function rewriteAssembly(folder: string, stack: string): Template {
  const file = join(folder, `${stack}.template.json`);
  const template = rewritten(JSON.parse(readFileSync(file, 'utf8')));
  const text = JSON.stringify(template);
  writeFileSync(file, text);
  const manifest = join(folder, `${stack}.assets.json`);
  const { files } = JSON.parse(readFileSync(manifest, 'utf8')) as AssetManifest;
  const [hash] = Object.entries(files).find(([, { source }]) => file.endsWith(source.path)) as [
    string,
    unknown,
  ];
  for (const handler of globSync(join(folder, 'asset.*/index.cjs')))
    copyFileSync(handler, handler.replace('.cjs', '.js'));
  const own = createHash('sha256').update(text).digest('hex');
  for (const each of [manifest, join(folder, 'manifest.json')])
    writeFileSync(each, readFileSync(each, 'utf8').replaceAll(hash, own));
  return template;
}
