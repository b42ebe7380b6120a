import { expect, it } from 'vitest';
import { PROD, synthesize, synthesizeAnew } from './synth.ts';

it('two deployments of a stage have the same template, which an override changes', () => {
  const [first, second] = [synthesize(PROD), synthesizeAnew(PROD)];
  expect(second.text === first.text).toBe(true);
  expect(synthesize({ ...PROD, logRetentionDays: '7' }).text === first.text).toBe(false);
});

it('synth ignores CDK’s own context keys and rejects all other unknown ones', () => {
  const own = { 'aws:cdk:version-reporting': false, '@aws-cdk/core:target-partitions': ['aws'] };
  expect(synthesize(own).text === synthesize().text).toBe(true);
  expect(() => synthesize({ 'aws-region': 'eu-west-1' })).toThrow('aws-region');
});
