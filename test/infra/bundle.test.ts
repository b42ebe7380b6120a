import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { script } from '#lib/docs/contracts';
import { functions } from '#lib/routes';
import { CLIENTS } from '../../infra/bundle/unreachable.ts';
import { bundle, bundleFolder, bundlesOf } from '../../infra/bundle.ts';
import { OPERATIONS } from './aws-operations.ts';
import { BUDGETS_KB } from './bundle-budgets.ts';

/** A budget is no larger than it must be. */
const SLACK_KB = 5;

test('every function is one file within its budget, with its source map, and carries no other function’s contract', async () => {
  const built = await bundle();
  const bundles = bundlesOf(built);
  expect(bundles.map(({ id }) => id)).toEqual(functions.map(({ id }) => id));
  for (const { id, bytes } of bundles) {
    const budget = BUDGETS_KB[id] as number;
    expect(bytes / 1000, `${id} outgrows its budget`).toBeLessThanOrEqual(budget);
    expect(bytes / 1000, `the budget of ${id} can be lowered`).toBeGreaterThan(budget - SLACK_KB);
    const beside = id === script.id ? [expect.stringMatching(/^scalar-\w+\.gz$/)] : [];
    expect(await readdir(bundleFolder(id))).toEqual(['index.cjs', 'index.cjs.map', ...beside]);
  }
  // Functions have what `lib/time.ts` has of it: to load the global of that name takes long.
  for (const { path, text } of built.outputFiles.filter(({ path }) => path.endsWith('.cjs')))
    expect(text.includes('performance'), path).toBe(false);
  for (const [file, { inputs }] of Object.entries(built.metafile.outputs)) {
    expect(Object.keys(inputs), file).not.toContain('lib/routes.ts');
    const credentials = Object.entries(inputs).filter(
      ([input, { bytesInOutput }]) => /credential-provider-(?!env)/.test(input) && bytesInOutput > 0,
    );
    expect(credentials, file).toEqual([]);
  }
  const used = new Map(Object.keys(CLIENTS).map((client) => [client, new Set<string>()]));
  for (const { inputs } of Object.values(built.metafile.outputs))
    for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
      const [, client = '', operation] =
        /node_modules\/(@aws-sdk\/client-[^/]+)\/dist-es\/commands\/(\w+)Command\.js$/.exec(input) ?? [];
      if (operation && bytesInOutput > 0) used.get(client)?.add(operation);
    }
  // Each is compared with what the SDK makes of it.
  for (const [client, operations] of used)
    expect([...operations].sort(), client).toEqual(Object.keys(OPERATIONS[client] ?? {}).sort());
});
