import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { testLinter } from './openapi-linter.ts';

const spectral = new spectralCore.Spectral();
spectral.setRuleset({ extends: [[spectralRulesets.oas as RulesetDefinition, 'recommended']] });

testLinter('spectral', async (source) =>
  (await spectral.run(source)).map(({ code, path }) => `${code} at ${path.join('/')}`),
);
