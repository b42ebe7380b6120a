import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { script } from '#lib/docs/contracts';
import { functions } from '#lib/routes';
import { bundle, bundleFolder, bundlesOf } from '../../infra/bundle.ts';

const BUDGET_BYTES = 420_000;

test('every function is one file within its budget, with its source map, and carries no other function’s contract', async () => {
  const built = await bundle();
  const bundles = bundlesOf(built);
  expect(bundles.map(({ id }) => id)).toEqual(functions.map(({ id }) => id));
  for (const { id, bytes } of bundles) {
    expect(bytes, id).toBeLessThanOrEqual(BUDGET_BYTES);
    const beside = id === script.id ? [expect.stringMatching(/^scalar-\w+\.gz$/)] : [];
    expect(await readdir(bundleFolder(id))).toEqual(['index.cjs', 'index.cjs.map', ...beside]);
  }
  for (const [file, { inputs }] of Object.entries(built.metafile.outputs)) {
    expect(Object.keys(inputs), file).not.toContain('lib/routes.ts');
    const credentials = Object.entries(inputs).filter(
      ([input, { bytesInOutput }]) => /credential-provider-(?!env)/.test(input) && bytesInOutput > 0,
    );
    expect(credentials, file).toEqual([]);
  }
});
