import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { withoutCredentials } from '#lib/log/redact';
import { CHECKS, type Check, PRELUDE } from './checks.ts';
import { isAsExpected, type Place, type Shown } from './record.ts';

const ROOT = join(import.meta.dirname, '../..');
const MAX_CHARACTERS = 4000;

const program = new Command('npm run first-deployment --')
  .description('Runs checks on a deployed stack, in their order, and records what they print.')
  .argument('[ids...]', 'checks to run; default: all')
  .option('--stack <name>', 'name of the stack')
  .option('--region <region>', 'region of the stack')
  .option('--out <file>', 'recording, to which lines are appended', 'first-deployment.jsonl')
  .option('--list', 'print the commands, and run none')
  .parse();
const { stack, region, out, list } = program.opts<{
  stack?: string;
  region?: string;
  out: string;
  list?: true;
}>();
const unknown = program.args.filter((id) => !CHECKS.some((check) => check.id === id));
if (unknown.length > 0) program.error(`There is no check ${unknown.join(', ')}: see --list`);
const chosen = CHECKS.filter(({ id }) => program.args.length === 0 || program.args.includes(id));

/** A text without what must not be sent: credentials, and numbers of AWS accounts. */
const safe = (text: string) => withoutCredentials(text).replaceAll(/\b\d{12}\b/g, '<account>');

function runOnce({ id, command }: Check): Shown {
  const env = {
    ...process.env,
    STACK: stack,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_PAGER: '',
    NO_COLOR: '1',
  };
  const started = Date.now();
  const { stdout, stderr } = spawnSync('bash', ['-c', `${PRELUDE}\n${command}`], {
    ...{ cwd: ROOT, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  });
  const seconds = Math.round((Date.now() - started) / 1000);
  return {
    ...{ id, seconds },
    output: safe(stdout).slice(-MAX_CHARACTERS),
    errors: safe(stderr).slice(-MAX_CHARACTERS / 4),
  };
}

async function run(check: Check): Promise<Shown> {
  const until = Date.now() + (check.withinSeconds ?? 0) * 1000;
  for (;;) {
    const shown = runOnce(check);
    if (isAsExpected(check, shown) || Date.now() >= until) return shown;
    await sleep(5000);
  }
}

if (list) {
  console.log(PRELUDE);
  for (const { id, command, expected } of chosen) console.log(`\n# ${id}: expect ${expected}\n${command}`);
  process.exit();
}
if (!stack || !region) program.error('--stack and --region are required');

const line = (value: Place | Shown) => appendFileSync(out, `${JSON.stringify(value)}\n`);
const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
if (!existsSync(out))
  line({
    date: new Date().toISOString().slice(0, 10),
    ...{ commit, region: region as string },
    isEmulated: process.env['AWS_ENDPOINT_URL'] !== undefined,
  });
for (const check of chosen) {
  const { id, requires, expected } = check;
  if (requires && !process.env[requires]) {
    console.log(`skipped   ${id}: ${requires} is not set`);
    continue;
  }
  const shown = await run(check);
  line(shown);
  if (isAsExpected(check, shown)) console.log(`ok        ${id}`);
  else {
    process.exitCode = 1;
    console.log(`differs   ${id}: expected ${expected}\n${shown.output}${shown.errors}`);
  }
}
console.log(`Send back ${out}. It has no credential and no number of an AWS account.`);
