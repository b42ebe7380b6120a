import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, globSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { collectAudit } from '#lib/audit/jobs';
import { rewritten, type Template } from './rewrite.ts';

const hash = (content: string) => createHash('sha256').update(content).digest('hex');

const ORIGINAL = 'original.json';

/** The handler that names the function of a stream, for the collector of audit lines. */
const NAMED_STREAMS = join(import.meta.dirname, 'named-streams.cjs');

/** The template in a cloud assembly before it was rewritten. */
export const originalOf = (folder: string): Template =>
  JSON.parse(readFileSync(join(folder, ORIGINAL), 'utf8'));

/** A synthesized stack in its cloud assembly, rewritten for the emulator when it is saved. */
export interface Assembly {
  template: Template;
  /** Changes the code of a function. */
  readonly editCode: (name: string, edit: (code: string) => string) => void;
  readonly save: () => void;
}

export function openAssembly(folder: string, stack: string): Assembly {
  const file = join(folder, `${stack}.template.json`);
  const manifests = [join(folder, `${stack}.assets.json`), join(folder, 'manifest.json')];
  const replaceIn = (files: readonly string[], former: string, present: string) => {
    for (const each of files) writeFileSync(each, readFileSync(each, 'utf8').replaceAll(former, present));
  };
  const original = readFileSync(file, 'utf8');
  const assembly: Assembly = {
    template: JSON.parse(original),
    editCode(name, edit) {
      const [asset = ''] = globSync(join(folder, `asset.*.${name}`));
      const code = edit(readFileSync(join(asset, 'index.cjs'), 'utf8'));
      writeFileSync(join(asset, 'index.cjs'), code);
      const former = /asset\.(\w+)/.exec(asset)?.[1] as string;
      const present = hash(code);
      renameSync(asset, asset.replace(former, present));
      replaceIn(manifests, former, present);
      assembly.template = JSON.parse(JSON.stringify(assembly.template).replaceAll(former, present));
    },
    save() {
      // The emulator finds handlers in `index.mjs` and `index.js` only.
      for (const handler of globSync(join(folder, 'asset.*/index.cjs')))
        if (!existsSync(handler.replace(/cjs$/, 'mjs'))) copyFileSync(handler, handler.replace(/cjs$/, 'js'));
      // An asset has the last part of the ID of its function.
      for (const collector of globSync(join(folder, `asset.*${extname(collectAudit.id)}`)))
        copyFileSync(NAMED_STREAMS, join(collector, 'index.js'));
      writeFileSync(join(folder, ORIGINAL), JSON.stringify(assembly.template));
      const text = JSON.stringify(rewritten(assembly.template));
      writeFileSync(file, text);
      // The CDK uploads a template once under its hash.
      const { files } = JSON.parse(readFileSync(manifests[0] as string, 'utf8')) as {
        files: Record<string, { source: { path: string } }>;
      };
      const former = Object.keys(files).find((key) => files[key]?.source.path === `${stack}.template.json`);
      replaceIn(manifests, former as string, hash(text));
    },
  };
  return assembly;
}
