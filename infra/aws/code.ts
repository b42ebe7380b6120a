import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { bundleFile, bundleFolder } from '#infra/bundle';
import { settingsReadBy } from '#infra/bundle/settings';
import type { Configuration } from '#infra/stages/configuration';
import { type Bundle, FILES } from './bundle.ts';

/** The bundle of a function, by its ID, as it was built, with the files of the settings that it reads. */
export const bundleOf =
  ({ settings: values }: Pick<Configuration, 'settings'>) =>
  (id: string): Bundle => {
    const settings = settingsReadBy(bundleFile(id));
    const files = settings.flatMap((name) => {
      const [file, text] = [FILES[name], values[name]];
      return file !== undefined && text !== '' ? [[file, String(text)] as const] : [];
    });
    const folder = bundleFolder(id);
    return { settings, code: files.length > 0 ? withFiles(folder, files) : Code.fromAsset(folder) };
  };

/** A copy of a folder with more files, in the output of the synth. */
const withFiles = (folder: string, files: readonly (readonly [name: string, content: string])[]) =>
  Code.fromAsset(folder, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // CDK starts it only if the local bundling does nothing.
      image: DockerImage.fromRegistry('none'),
      local: {
        tryBundle(output) {
          cpSync(folder, output, { recursive: true });
          for (const [name, content] of files) writeFileSync(join(output, name), content, { mode: 0o644 });
          return true;
        },
      },
    },
  });
