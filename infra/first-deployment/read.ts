import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { CHECKS } from './checks.ts';
import { isAsExpected, readRecording } from './record.ts';

/** The recording that the pages show. */
const FILE = join(import.meta.dirname, 'recording.json');

const program = new Command('npm run evidence --')
  .description('Reads what a first deployment has recorded into the pages of evidence.')
  .requiredOption('--aws <file>', 'recording of npm run first-deployment')
  .parse();
const { aws } = program.opts<{ aws: string }>();

try {
  const recording = readRecording(readFileSync(aws, 'utf8'));
  if (recording.isEmulated) throw new Error('The recording is of an emulator: it shows nothing of AWS.');
  writeFileSync(FILE, `${JSON.stringify(recording, null, 2)}\n`);
  for (const check of CHECKS) {
    const shown = recording.checks.find(({ id }) => id === check.id);
    const state = shown ? (isAsExpected(check, shown) ? 'ok     ' : 'differs') : 'not run';
    console.log(`${state}   ${check.id}`);
  }
  console.log('Run `npm run docs`, which writes the pages, and commit them with the recording.');
} catch (error) {
  program.error((error as Error).message);
}
