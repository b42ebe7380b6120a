import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { bundleFile, bundleFolder } from '#infra/bundle';
import { settingsReadBy } from '#infra/bundle/settings';
import type { Configuration } from '#infra/stages/configuration';
import { ISSUERS_FILE } from '#lib/trust/issuers';
import type { Bundle } from './stack.ts';

/**
 * The bundle of a function, by its ID, as it was built. Functions that read issuers have them in a file: with pasted keys
 * they are larger than the variables of a function may be.
 */
export const bundleOf =
  ({ settings: { Issuers } }: Pick<Configuration, 'settings'>) =>
  (id: string): Bundle => {
    const settings = settingsReadBy(bundleFile(id));
    const hasIssuers = Issuers !== '' && settings.includes('Issuers');
    const folder = bundleFolder(id);
    return { settings, code: hasIssuers ? withFile(folder, ISSUERS_FILE, Issuers) : Code.fromAsset(folder) };
  };

/** A copy of a folder with one more file, in the output of the synth. */
const withFile = (folder: string, name: string, content: string) =>
  Code.fromAsset(folder, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // CDK starts it only if the local bundling does nothing.
      image: DockerImage.fromRegistry('none'),
      local: {
        tryBundle(output) {
          cpSync(folder, output, { recursive: true });
          writeFileSync(join(output, name), content, { mode: 0o644 });
          return true;
        },
      },
    },
  });
