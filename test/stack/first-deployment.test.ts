import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { CHECKS } from '../../infra/first-deployment/checks.ts';
import { readRecording } from '../../infra/first-deployment/record.ts';
import { pythonProgram } from '../python.ts';
import { run } from './cloud.ts';
import { UNSHOWN } from './differences.ts';
import { REGION } from './emulator.ts';
import { STACK } from './global-setup.ts';

const cli = pythonProgram('awscli', join(import.meta.dirname, 'aws-cli.txt'), 10);

test('each check of the first deployment that the emulator can show prints what the page expects', async () => {
  expect(cli.install(), 'the AWS CLI').toBeUndefined();
  const shown = CHECKS.map(({ id }) => id).filter((id) => !(id in UNSHOWN));
  const { env, folder } = inject('cloud');
  const out = join(folder, 'first-deployment.jsonl');
  const PATH = [join(cli.folder, 'bin'), process.env['PATH']].join(delimiter);
  const cloud = { folder, env: { ...env, PATH, PYTHONPATH: cli.folder } };
  const command = [
    'npm',
    'run',
    '-s',
    'first-deployment',
    '--',
    '--stack',
    STACK,
    '--region',
    REGION,
  ] as const;
  const { status, stdout, stderr } = await run(cloud, [...command, '--out', out, ...shown]);
  expect(status, `${stdout}${stderr}`).toBe(0);
  const recording = readFileSync(out, 'utf8');
  expect(readRecording(recording)).toMatchObject({ isEmulated: true, checks: shown.map((id) => ({ id })) });
  expect(recording).not.toContain(inject('adminToken'));
  expect(recording).not.toMatch(/cst_|\d{12}/);
});

test('each reason why the emulator does not show a check names one', () => {
  expect(CHECKS.map(({ id }) => id)).toEqual(expect.arrayContaining(Object.keys(UNSHOWN)));
});
