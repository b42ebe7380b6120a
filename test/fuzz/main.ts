import { Command } from 'commander';
import * as fc from 'fast-check';
import { faultsOf, MAX_MS } from './faults.ts';
import { type FuzzRequest, requests } from './requests.ts';
import { openService } from './service.ts';

const options = new Command('npm run fuzz --')
  .description('Sends requests of all kinds to a local instance of its own and looks for wrong answers.')
  .option('--requests <number>', 'number of requests', Number, 200_000)
  .option('--seed <number>', 'seed of the random requests', Number, Date.now() % 1_000_000_000)
  .parse()
  .opts<{ requests: number; seed: number }>();

/** Requests of one seed; the next ones are those of the next seed. */
const BATCH = 250;
const CONNECTIONS = 8;

const service = await openService(CONNECTIONS);
let sent = 0;
const statuses = new Map<number, number>();
const refused: string[] = [];

/** A request that is slow by itself is slow each time; a busy machine is not. Nor are the others always quicker. */
const ATTEMPTS = 4;

/** Sends a request, and again one that is slow, or that others have overtaken. @throws Error with all faults */
async function attempt(request: FuzzRequest, nth = 1): Promise<void> {
  await service.refresh();
  const answer = await service.send(request);
  const { status, ms, text, headers } = answer;
  const id = String(headers['x-request-id']);
  sent++;
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  if (status >= 400) refused.push(id);
  if (status === 401 && request.as) service.wears(request.as);
  const isOvertaken = status === 503 && headers['retry-after'] === '1';
  if (isOvertaken && nth < ATTEMPTS) return attempt(request, nth + 1);
  const isSlow = ms > MAX_MS && nth < ATTEMPTS;
  const faults = faultsOf(request, isSlow ? { ...answer, ms: 0 } : answer, service.writesOf(id));
  if (faults.length > 0)
    throw new Error([...faults, `${status} ${text.slice(0, 500)}`, ...service.linesOf(id)].join('\n  '));
  if (isSlow) await attempt(request, nth + 1);
}

/** Sends the requests of a seed; prints the smallest request that fails. */
async function batch(seed: number, numRuns: number): Promise<boolean> {
  const result = await fc.check(
    fc.asyncProperty(requests, (request) => attempt(request)),
    { seed, numRuns },
  );
  if (!result.failed) return true;
  console.log(`
Failed, after ${result.numShrinks} shrinks: ${(result.errorInstance as Error).message}

Request: ${JSON.stringify(result.counterexample?.[0])}
Again: npm run fuzz -- --requests ${BATCH} --seed ${seed}`);
  return false;
}

let [next, isGood] = [0, true];
async function work(): Promise<void> {
  while (next < options.requests && isGood) {
    const first = next;
    next += BATCH;
    const count = Math.min(BATCH, options.requests - first);
    isGood = (await batch((options.seed + first / BATCH) | 0, count)) && isGood;
  }
}

console.log(`Seed ${options.seed}`);
const start = performance.now();
await Promise.all(Array.from({ length: CONNECTIONS }, work));
await service.settled();
for (const id of refused.filter((each) => service.writesOf(each).length > 0)) {
  console.log(`${id} was refused, and wrote later: ${service.writesOf(id).join('; ')}`);
  isGood = false;
}
const seconds = (performance.now() - start) / 1000;
await service.stop();
console.log(`
${sent} requests in ${seconds.toFixed(1)} s: ${Math.round(sent / seconds)} a second
Answers ${JSON.stringify(Object.fromEntries(statuses))}`);
process.exitCode = isGood ? 0 : 1;
