import { basename, dirname } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';

/** Packages that functions load at the first use: each a file of this name, which no start compiles. */
const FILES: Readonly<Record<string, string>> = {
  '@zxcvbn-ts/core': 'password-estimator',
  '@zxcvbn-ts/language-common': 'common-passwords',
  bcryptjs: 'bcrypt',
  parse5: 'parse5',
};

/**
 * Makes an import of such a package load its file, next to the code of the function. That import is dynamic, or in a module
 * that is imported dynamically.
 */
export const onDemand: Plugin = {
  name: 'on-demand',
  setup({ onResolve }) {
    onResolve({ filter: RegExp(`^(${Object.keys(FILES).join('|')})$`) }, ({ path }) => ({
      path: `./${FILES[path]}.cjs`,
      external: true,
    }));
  },
};

/** The entry points of the files that built functions load. */
export const onDemandOf = ({ outputs }: Metafile) =>
  Object.entries(outputs).flatMap(([output, { imports }]) =>
    Object.entries(FILES)
      .filter(([, file]) => imports.some(({ path }) => path === `./${file}.cjs`))
      .map(([name, file]) => ({ in: name, out: `${basename(dirname(output))}/${file}` })),
  );
