import type { Plugin } from 'esbuild';
import { password } from '#lib/account/contracts';

const LIST = '@zxcvbn-ts/language-common';
const FILE = 'common-passwords';

/** The list of common passwords: a file of its own next to the code of the only function that searches it. */
export const ON_DEMAND = {
  function: password.id,
  entry: { in: LIST, out: `${password.id}/${FILE}` },
  packages: [`node_modules/${LIST}/`, 'node_modules/@zxcvbn-ts/dictionary-compression/'],
} as const;

/** Makes a dynamic import of the list load its file at the first use: 440 kB that the start does not compile. */
export const onDemand: Plugin = {
  name: 'on-demand',
  setup({ onResolve }) {
    onResolve({ filter: RegExp(`^${LIST}$`) }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: `./${FILE}.cjs`, external: true } : undefined,
    );
  },
};
