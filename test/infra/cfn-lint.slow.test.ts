import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EVERY_OPTION, inApp } from './synth.ts';

interface Finding {
  readonly Rule: { readonly Id: string };
  readonly Level: string;
  readonly Message: string;
}

const run = (args: readonly string[]) =>
  spawnSync('cfn-lint', args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
const installed = run(['--version']).status === 0;

/** Warnings that CDK causes: each function depends on its role explicitly, although it also names the role. */
const isOfCdk = ({ Rule, Message }: Finding) =>
  Rule.Id === 'W3005' && /^'\w+Role\w+' .* at 'Resources\/\w+Function\w+\/Properties\/Role'/.test(Message);

it.skipIf(!installed)(
  `cfn-lint finds no error, and no warning but those that CDK makes${installed ? '' : ' (skipped: cfn-lint is not installed, see "pip install cfn-lint")'}`,
  () => {
    const { status, stdout, stderr } = inApp(EVERY_OPTION, (_, app) => {
      const { directory } = app.synth();
      const template = readdirSync(directory).find((name) => name.endsWith('.template.json')) as string;
      return run(['--format', 'json', '--include-checks', 'W', '--', join(directory, template)]);
    });
    // 4 means warnings. CDK causes some, so they prove that cfn-lint has read the template.
    expect(status, stderr).toBe(4);
    const findings = JSON.parse(stdout) as Finding[];
    expect(findings.filter(isOfCdk).length).toBeGreaterThan(0);
    expect(findings.filter((finding) => !isOfCdk(finding)).map(({ Message }) => Message)).toEqual([]);
  },
);
