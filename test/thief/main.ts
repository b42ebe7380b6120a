import { readFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { type Fault, plant } from './faults.ts';
import { MENDS } from './mends.ts';
import type { Options } from './run.ts';

const number = (text: string) => Number(text);

const options = new Command('npm run thief --')
  .description('Searches what the thief of each thing can reach, and whether its remedy ends all of it.')
  .option(
    '--start <texts>',
    'only starts whose title has all of these texts, separated by commas; repeatable',
    (text, all: readonly string[]) => [...all, text],
    [],
  )
  .option('--depth <number>', 'longest sequence of steps', number, 12)
  .addOption(
    new Option(
      '--width <number>',
      '1 or 2: visit a state with a new fact, or a new pair of facts; 0: every state',
    )
      .argParser(number)
      .default(1),
  )
  .option('--minutes <number>', 'longest time of the whole run', number, 480)
  .option('--ends <number>', 'states of each start from which the theft is ended', number, 8)
  .option('--random <number>', 'random sequences of each start, after the search', number, 0)
  .option('--seed <number>', 'seed of the random sequences', number, 1)
  .option('--fault <file>', 'plant the faults of this file: JSON, a list of { file, find, replace }')
  .addOption(new Option('--without <mend>', 'take a mend out').choices(Object.keys(MENDS)))
  .option('--record', 'record what was found, for the generated page')
  .parse()
  .opts<Options & { readonly fault?: string; readonly without?: keyof typeof MENDS }>();

const { fault, without } = options;
const faults: readonly Fault[] = [
  ...(fault ? (JSON.parse(readFileSync(fault, 'utf8')) as Fault[]) : []),
  ...(without ? (MENDS[without]?.out ?? []) : []),
];
if (faults.length > 0) plant(faults);
const { run } = await import('./run.ts');
process.exit(await run({ ...options, start: options.start.length > 0 ? options.start : [''] }));
