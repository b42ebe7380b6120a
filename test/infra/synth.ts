import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { readContext } from '#infra/aws/context';
import { CoreAccountStack } from '#infra/aws/stack';
import cdk from '../../cdk.json' with { type: 'json' };

export interface Resource {
  readonly id: string;
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DependsOn?: readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

/** The template of a stack, to be asked for its resources and outputs. */
export interface Synthesized {
  readonly all: readonly Resource[];
  readonly of: (type: string) => readonly Resource[];
  /** @throws Error unless there is exactly one */
  readonly one: (type: string) => Resource;
  readonly outputs: Readonly<Record<string, { readonly Value: unknown }>>;
  readonly text: string;
}

/** Synthesizes the stack as the CDK CLI would, but for the code of its functions: that is a stand-in. */
export function synthesize(context: Readonly<Record<string, unknown>> = {}): Synthesized {
  const template = templateOf(context);
  const all = Object.entries(template['Resources'] as Record<string, Omit<Resource, 'id'>>).map(
    ([id, resource]) => ({ ...resource, id }),
  );
  const of = (type: string) => all.filter(({ Type }) => Type === type);
  const one = (type: string) => {
    const [first, ...others] = of(type);
    if (!first || others.length > 0) throw new Error(`${others.length + (first ? 1 : 0)} of ${type}`);
    return first;
  };
  return { all, of, one, outputs: template['Outputs'], text: JSON.stringify(template) };
}

function templateOf(context: Readonly<Record<string, unknown>>) {
  const outdir = mkdtempSync(join(tmpdir(), 'synth-'));
  try {
    const app = new App({ outdir, context: { ...cdk.context, ...context }, analyticsReporting: false });
    const instance = readContext(app.node);
    return Template.fromStack(new CoreAccountStack(app, instance, () => Code.fromInline('0'))).toJSON();
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** A value of a template as one text: `${LogicalId}` is a reference, `${LogicalId.Arn}` an attribute. */
export function render(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const [[name, argument] = []] = Object.entries(value);
  if (name === 'Ref') return `\${${argument}}`;
  if (name === 'Fn::GetAtt') return `\${${(argument as string[]).join('.')}}`;
  if (name === 'Fn::Join') {
    const [separator, parts] = argument as [string, unknown[]];
    return parts.map(render).join(separator);
  }
  throw new Error(`${name} is not rendered`);
}

/** The function of a definition. */
export function functionOf({ of }: Synthesized, id: string): Resource {
  const prefix = `${id.replace(/\W/g, '')}Function`;
  const found = of('AWS::Lambda::Function').filter((resource) => resource.id.startsWith(prefix));
  if (found.length !== 1) throw new Error(`${found.length} functions for ${id}`);
  return found[0] as Resource;
}

/** Every permission to invoke a function, as `<service> for <source>`. */
export const invokersOf = ({ of }: Synthesized, fn: Resource): string[] =>
  of('AWS::Lambda::Permission')
    .filter(({ Properties }) => render(Properties['FunctionName']) === `\${${fn.id}.Arn}`)
    .map(({ Properties }) => `${Properties['Principal']} for ${render(Properties['SourceArn'])}`);
