import { Command } from 'commander';
import { plant } from '../thief/faults.ts';
import { LIMITS, raised } from './limits.ts';

/** The engine of a busy machine may need seconds for the largest batches. */
const PATIENT = {
  file: 'lib/network/aws.ts',
  find: 'requestTimeout: 1500',
  replace: 'requestTimeout: 60_000',
};

const { limit, factor } = new Command('npm run limits --')
  .description(
    'Fills an account to every limit, and sends every request to it, with one limit or all of them raised.',
  )
  .option('--limit <name>', 'only the limits with this text, such as MAX_TEAMS; all by default', '')
  .option('--factor <number>', 'what it is multiplied by', Number, 1)
  .parse()
  .opts<{ readonly limit: string; readonly factor: number }>();

const found = LIMITS.filter(({ id }) => id.includes(limit));
if (found.length === 0) throw new Error(`The limits are ${LIMITS.map(({ id }) => id).join(', ')}`);
plant([PATIENT, ...(factor === 1 ? [] : found.map((one) => raised(one, factor)))]);
const { run } = await import('./run.ts');
console.log(JSON.stringify(await run()));
process.exit();
