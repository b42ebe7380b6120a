import type { Stack } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { ACKNOWLEDGED } from '#infra/aws/acknowledged-rules';
import { EVERY_OPTION, inApp } from './synth.ts';

/** Rules that somebody may decide not to follow, each for a reason. */
const MAX_ACKNOWLEDGED = 6;

/** What cdk-nag finds, as `<rule> <construct>`. */
function findings(stack: Stack): string[] {
  return [new AwsSolutionsChecks(), new ServerlessChecks()].flatMap((pack) =>
    pack
      .validateScope(stack)
      .violations.flatMap(({ ruleName, violatingResources }) =>
        violatingResources.map(({ constructPath }) => `${ruleName} ${constructPath}`),
      ),
  );
}

const METADATA = 'aws:cdk:acknowledged-rules';

/** The stack as somebody would find it who has acknowledged nothing but these. */
function acknowledging(stack: Stack, ids: readonly string[]): string[] {
  const metadata = stack.node.findAll().flatMap(({ node }) => node.metadata);
  const others = metadata.filter(({ type, data }) => type === METADATA && !ids.some((id) => isFor(data, id)));
  for (const entry of others) Object.assign(entry, { data: {} });
  return findings(stack);
}

const isFor = (data: object, id: string) => Object.keys(data).some((key) => key.endsWith(id));

describe.each([
  ['without options', {}],
  ['with every option', EVERY_OPTION],
])('%s', (_, context) => {
  it('cdk-nag finds nothing that is not acknowledged', () => {
    expect(inApp(context, findings)).toEqual([]);
  });
});

it.each(ACKNOWLEDGED)(
  '$id is still found, so that its acknowledgement is not left over',
  ({ id, reason }) => {
    const others = ACKNOWLEDGED.map((rule) => rule.id).filter((other) => other !== id);
    const found = inApp(EVERY_OPTION, (stack) => acknowledging(stack, others));
    expect([...new Set(found.map((finding) => finding.split(' ')[0]))]).toEqual([id]);
    expect(reason.length).toBeGreaterThan(100);
  },
);

it(`at most ${MAX_ACKNOWLEDGED} rules are acknowledged, in one place`, () => {
  expect(ACKNOWLEDGED.length).toBeLessThanOrEqual(MAX_ACKNOWLEDGED);
  const entries = inApp({}, (stack) =>
    stack.node.findAll().flatMap(({ node }) => node.metadata.filter(({ type }) => type === METADATA)),
  );
  expect(entries).toHaveLength(ACKNOWLEDGED.length);
});
