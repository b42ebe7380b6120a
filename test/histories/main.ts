import { randomInt } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { bundle } from '../../infra/bundle.ts';
import { startEngine } from '../../infra/local/services/engine.ts';
import { type InstanceProcess, startInstance } from '../integration/instance-process.ts';
import { newFolder, removeFolders } from '../unit/support/folder.ts';
import { COLLISION, DOWN, openProxy, type Script, THROTTLED } from '../wire/dynamodb-proxy.ts';
import { runEpisode } from './episode.ts';
import { isLinearisable } from './linearisable.ts';
import { onInstance } from './running-instance.ts';

const options = new Command('npm run histories --')
  .option('--minutes <number>', 'duration', Number, 10)
  .option('--faults', 'throttle, delay, fail and cut off DynamoDB at random instead of killing the instance')
  .parse()
  .opts<{ minutes: number; faults?: true }>();

const KILL_EVERY_MS = 30_000;
/** Episodes in parallel. */
const WORKERS = 3;
const [CLIENTS, OPERATIONS] = [3, 8];
/** Commands of a hundred that get each kind of fault. */
const PER_HUNDRED = 4;
const SLOW_MS = 400;

const met: Record<string, number> = {};
const kinds = [
  ['throttled', THROTTLED],
  ['failing', DOWN],
  ['conflict', COLLISION],
  ['reset', 'reset'],
  ['lose', 'lose'],
  ['slow', undefined],
] as const;

/** Tokens of transactions whose answers were lost: DynamoDB repeats their answer, and reports no conflict. */
const lost = new Set<unknown>();

const randomFaults: Script = async (operation, { ClientRequestToken: token }) => {
  const [kind, fault] = kinds[Math.floor(randomInt(100) / PER_HUNDRED)] ?? [];
  if (!kind) return undefined;
  if (kind === 'conflict' && (operation !== 'TransactWriteItems' || lost.has(token))) return undefined;
  if (kind === 'lose') lost.add(token);
  met[kind] = (met[kind] ?? 0) + 1;
  if (kind === 'slow') await sleep(SLOW_MS);
  return fault;
};

await bundle();
const data = newFolder();
const engine = options.faults ? await startEngine() : undefined;
const proxy = engine && (await openProxy(engine.url));
const env: Record<string, string> = proxy ? { AWS_ENDPOINT_URL_DYNAMODB: proxy.url } : {};

let instance: Promise<InstanceProcess> = startInstance({ data, env });
const { admin } = (await instance).ready;
const service = await onInstance(async () => (await instance).ready.url, data, admin.token as string);
proxy?.script(randomFaults);

const totals = { episodes: 0, operations: 0, unanswered: 0, events: 0, violations: 0, broken: 0, kills: 0 };
const kill = async () => {
  const running = await instance;
  totals.kills += 1;
  instance = running.kill().then(() => startInstance({ data, env }));
};
const killer = options.faults ? undefined : setInterval(kill, KILL_EVERY_MS);

const endsAt = performance.now() + options.minutes * 60_000;
await Promise.all(
  Array.from({ length: WORKERS }, async () => {
    while (performance.now() < endsAt) {
      const { history, broken, username } = await runEpisode(service, CLIENTS, OPERATIONS);
      totals.episodes += 1;
      totals.operations += history.length;
      totals.unanswered += history.filter(({ answer }) => answer === undefined).length;
      totals.events += Number(history.at(-1)?.answer?.[1]);
      totals.broken += broken.length;
      if (broken.length > 0) console.log(`${username}: ${broken.join(', ')}`);
      if (isLinearisable(history)) continue;
      totals.violations += 1;
      await writeFile(join(data, `${username}.json`), JSON.stringify(history, undefined, 1));
      console.log(`No order of its operations explains the answers: ${join(data, `${username}.json`)}`);
    }
  }),
);
clearInterval(killer);
await (await instance).stop();
proxy?.close();
await engine?.close();

const failed = totals.violations + totals.broken > 0;
if (!failed) removeFolders();
console.log(JSON.stringify({ ...totals, faults: met }));
process.exit(failed ? 1 : 0);
