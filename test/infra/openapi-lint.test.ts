import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { expect, test } from 'vitest';
import { openApi } from '../../infra/openapi.ts';

const redocly = await createConfig({ extends: ['recommended-strict'] });
const spectral = new spectralCore.Spectral();
spectral.setRuleset({ extends: [[spectralRulesets.oas as RulesetDefinition, 'recommended']] });

/** Findings of each linter in a document, hints included. */
const LINTERS: Readonly<Record<string, (source: string) => Promise<string[]>>> = {
  redocly: async (source) =>
    (await lintFromString({ source, absoluteRef: '/openapi.json', config: redocly })).map(
      ({ ruleId, location }) => `${ruleId} at ${location[0]?.pointer}`,
    ),
  spectral: async (source) =>
    (await spectral.run(source)).map(({ code, path }) => `${code} at ${path.join('/')}`),
};

test.each(Object.entries(LINTERS))('%s finds no problem in the OpenAPI document', async (_, lint) => {
  expect(await lint(JSON.stringify(openApi()))).toEqual([]);
});

test.each(Object.entries(LINTERS))('%s finds an example that its schema refuses', async (_, lint) => {
  const { paths, ...document } = JSON.parse(JSON.stringify(openApi()));
  const { '/api/core/system/ping': ping } = paths;
  ping.get.responses['200'].content['application/json'].example.method = 1;
  const text = JSON.stringify({ ...document, paths: { '/ping': ping } });
  expect(await lint(text)).toContainEqual(expect.stringContaining('ping'));
});
