import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { script } from '#lib/docs/contracts';
import { functions } from '#lib/routes';
import { CLIENTS } from '../../infra/bundle/unreachable.ts';
import { bundle, bundleFolder, bundlesOf, ROOT } from '../../infra/bundle.ts';
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
  for (const [file, { inputs }] of Object.entries(built.metafile.outputs)) {
    expect(Object.keys(inputs), file).not.toContain('lib/routes.ts');
    const credentials = Object.entries(inputs).filter(
      ([input, { bytesInOutput }]) => /credential-provider-(?!env)/.test(input) && bytesInOutput > 0,
    );
    expect(credentials, file).toEqual([]);
  }
  // Of the operations in the bundles, each error that the SDK documents keeps its class.
  const used = new Map(Object.keys(CLIENTS).map((client) => [client, new Set<string>()]));
  for (const { inputs } of Object.values(built.metafile.outputs))
    for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
      const [, client = '', command] =
        /node_modules\/(@aws-sdk\/client-[^/]+)\/dist-es\/commands\/(\w+)\.js$/.exec(input) ?? [];
      if (command && bytesInOutput > 0) used.get(client)?.add(command);
    }
  for (const [client, { errors }] of Object.entries(CLIENTS)) {
    const texts = [...(used.get(client) ?? [])].map((command) =>
      readFile(join(ROOT, 'node_modules', client, `dist-types/commands/${command}.d.ts`), 'utf8'),
    );
    const documented = (await Promise.all(texts)).flatMap((text) =>
      [...text.matchAll(/@throws \{@link (\w+)\}/g)].map(([, name = '']) => name),
    );
    const own = documented.filter((name) => !name.endsWith('ServiceException'));
    expect(own.length, client).toBeGreaterThan(0);
    expect([...new Set(own)].sort(), client).toEqual([...errors].sort());
  }
});
