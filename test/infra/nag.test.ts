import type { Stack } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { expect, it } from 'vitest';
import { ACKNOWLEDGED } from '#infra/aws/acknowledged-rules';
import { EVERY_OPTION, inApp } from './synth.ts';

/** The highest number of rules that the stack may acknowledge instead of following them. */
const MAX_ACKNOWLEDGED = 8;

/** A rule without its finding. */
const ruleOf = (id: string) => id.replace(/\[.*/, '');

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

it.each([
  ['without options', {}],
  ['with every option', EVERY_OPTION],
])('cdk-nag finds nothing that the stack %s does not acknowledge', (_, context) => {
  expect(inApp(context, findings)).toEqual([]);
});

it('cdk-nag finds each acknowledged rule when the stack acknowledges none', () => {
  const found = inApp(EVERY_OPTION, (stack) => {
    for (const entry of acknowledgements(stack)) Object.assign(entry, { data: {} });
    return new Set(findings(stack).map((finding) => finding.split(/[ []/)[0] as string));
  });
  expect([...found].sort()).toEqual(ACKNOWLEDGED.map(({ id }) => ruleOf(id)).sort());
  for (const { reason } of ACKNOWLEDGED) expect(reason.length).toBeGreaterThan(100);
});

it(`the stack acknowledges at most ${MAX_ACKNOWLEDGED} rules, in one place`, () => {
  expect(ACKNOWLEDGED.length).toBeLessThanOrEqual(MAX_ACKNOWLEDGED);
  const acknowledged = inApp(EVERY_OPTION, acknowledgements).flatMap(({ data }) => Object.keys(data));
  const rules = acknowledged.map((id) => id.replace(/^annotation::/i, '').replace(/\[.*/, ''));
  expect(new Set(rules)).toEqual(new Set(ACKNOWLEDGED.map(({ id }) => ruleOf(id))));
});
