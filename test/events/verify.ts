import { rm } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { bundle } from '../../infra/bundle.ts';
import { folders } from '../integration/folder.ts';
import { type Bar, latency, races, subscriberOutage } from './bars.ts';
import { FAULTS } from './faults.ts';
import { killInCancels, killInSweeps } from './kills.ts';
import { busOutage } from './outage.ts';
import { isGood, type Outcome, rehearse } from './rehearse.ts';
import { line, table } from './report.ts';
import { openStage, type Stage } from './stage.ts';
import { openSubscribed } from './subscribed.ts';

const USAGE = `npm run verify:events -- [--bus-down 150] [--subscriber-down 30] [--full]
  --bus-down         seconds for which the bus is down while 1,000 accounts are cancelled
  --subscriber-down  seconds for which the subscriber is down while 1,000 accounts are cancelled
  --full             300 and 600 seconds
`;

/**
 * Shows that no committed cancel is lost, and that no event is invented, whatever fails: prints a table of faults,
 * and the figures that are asked of a release. Takes seven minutes, and fifteen with `--full`.
 */
const { values } = parseArgs({
  options: {
    'bus-down': { type: 'string' },
    'subscriber-down': { type: 'string' },
    full: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const busDown = Number(values['bus-down'] ?? (values.full ? 300 : 150));
const subscriberDown = Number(values['subscriber-down'] ?? (values.full ? 600 : 30));

const [CANCELS, SLOW_CANCELS, KILL_CANCELS, SWEEP_CANCELS] = [120, 24, 24, 60];
const began = performance.now();
const done = (what: string) =>
  console.error(
    `${Math.round((performance.now() - began) / 1000)} s  load ${loadavg()[0]?.toFixed(1)}  ${what}`,
  );

await bundle();
const bars: Bar[] = [];
const subscribed = await openSubscribed();
for (const bar of [
  () => latency(subscribed, 200),
  () => races(subscribed, 100, 20),
  () => subscriberOutage(subscribed, subscriberDown, 1000),
]) {
  bars.push(await bar());
  done(bars.at(-1)?.what as string);
}
await subscribed.close();

const all: Outcome[] = [];
const kinds = FAULTS.values();

/** Goes through the kinds of faults that are left. */
async function rehearseAll(stage: Stage) {
  for (const kind of kinds) {
    const outcome = await rehearse(stage, kind, kind.slow ? SLOW_CANCELS : CANCELS);
    all.push(outcome);
    done(line(outcome));
  }
}

async function outageAndKills(stage: Stage) {
  const outage = await busOutage(stage, busDown, 1000);
  const { fault, ok, asked, ids, secondsToDeliver, sweeps, ordered } = outage;
  bars.push({
    what: `${fault}, 1,000 cancels meanwhile`,
    figures: `${ok} answered 200, ${ids} delivered ${secondsToDeliver} s after it was back, by ${sweeps} sweeps, ${ordered ? 'oldest first' : 'NOT IN ORDER'}`,
    good: isGood(outage) && ok === asked,
  });
  done(line(outage));
  for (const kill of [() => killInCancels(stage, KILL_CANCELS), () => killInSweeps(stage, SWEEP_CANCELS)]) {
    const outcomes = await kill();
    all.push(...outcomes);
    for (const outcome of outcomes) done(line(outcome));
  }
}

/** Two instances at a time. */
const stages = [await openStage(), await openStage()] as const;
await Promise.all([rehearseAll(stages[0]), outageAndKills(stages[1]).then(() => rehearseAll(stages[1]))]);
for (const stage of stages) await stage.close();

console.log(`\n${table(all)}\n\n| Bar | Figures | |\n| --- | --- | --- |`);
for (const { what, figures, good } of bars)
  console.log(`| ${what} | ${figures} | ${good ? 'holds' : 'DOES NOT HOLD'} |`);
const good = [...all.map(isGood), ...bars.map((bar) => bar.good)].every(Boolean);
if (good) await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
else console.log(`\nLogs and data are kept in ${folders.join(', ')}`);
done('all');
process.exit(good ? 0 : 1);
