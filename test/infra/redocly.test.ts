import { createConfig, lintFromString } from '@redocly/openapi-core';
import { testLinter } from './openapi-linter.ts';

const config = await createConfig({ extends: ['recommended-strict'] });

// Another linter: spectral.slow.test.ts.
testLinter('redocly', async (source) => {
  const findings = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return findings.map(({ ruleId, location }) => `${ruleId} at ${location[0]?.pointer}`);
});
