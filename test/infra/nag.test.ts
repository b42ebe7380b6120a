import type { Stack } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { expect, it } from 'vitest';
import { ACKNOWLEDGED } from '#infra/aws/acknowledged-rules';
import { EVERY_OPTION, inApp } from './synth.ts';

/** The findings of cdk-nag, as `<rule> <construct>`. */
const findings = (stack: Stack): string[] =>
  [new AwsSolutionsChecks(), new ServerlessChecks()]
    .flatMap((pack) => pack.validateScope(stack).violations)
    .flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath }) => `${ruleName} ${constructPath}`),
    );

const acknowledgements = (stack: Stack) =>
  stack.node
    .findAll()
    .flatMap(({ node }) => node.metadata)
    .filter(({ type }) => type === 'aws:cdk:acknowledged-rules');

it('cdk-nag finds nothing that the stack without options does not acknowledge', () => {
  expect(inApp({}, findings)).toEqual([]);
});

it('cdk-nag finds nothing with every option but each acknowledged rule, once the stack acknowledges none', () => {
  const found = inApp(EVERY_OPTION, (stack) => {
    expect(findings(stack)).toEqual([]);
    for (const entry of acknowledgements(stack)) Object.assign(entry, { data: {} });
    return new Set(findings(stack).map((finding) => finding.split(/[ []/)[0] as string));
  });
  expect([...found].sort()).toEqual(ACKNOWLEDGED.map(({ id }) => id.replace(/\[.*/, '')).sort());
  for (const { reason } of ACKNOWLEDGED) expect(reason.length).toBeGreaterThan(100);
});
