import { Command } from 'commander';
import * as fc from 'fast-check';
import { codeOf, endpointOf, faultsOf, MAX_MS } from './faults.ts';
import { type FuzzRequest, requests } from './requests.ts';
import { type Answer, openService } from './service.ts';

const options = new Command('npm run fuzz --')
  .description(
    'Sends requests of all kinds to a local instance of its own and looks for answers that must not be.',
  )
  .option('--requests <number>', 'how many', Number, 200_000)
  .option('--seed <number>', 'what they follow from', Number, Date.now() % 1_000_000_000)
  .option('--path <path>', 'sends only the request that this path leads to from the seed')
  .option('--request <json>', 'sends only this request')
  .parse()
  .opts<{ requests: number; seed: number; path?: string; request?: string }>();

/** So many requests follow from one seed, the next ones from the next. */
const BATCH = 250;
const CONNECTIONS = 8;
/** Shrinking ends after this time. */
const SHRINK_MS = 60_000;

const service = await openService(CONNECTIONS);
const figures = { sent: 0, past: 0, slowest: 0, slowestIs: '' };
const statuses = new Map<number, number>();
const refused: string[] = [];
let failingSince: number | undefined;

function count(request: FuzzRequest, { status, ms, text, headers }: Answer, code: string | undefined) {
  const endpoint = endpointOf(request);
  const { id = 'the gateway', access = 'public' } = typeof endpoint === 'object' ? endpoint : {};
  const isRefusedAsRepeated = /"field":"(Authorization|ptoken)"/.test(text);
  const isPast = access !== 'public' && 'x-request-id' in headers && code !== 'unauthenticated';
  figures.sent++;
  if (isPast && !isRefusedAsRepeated) figures.past++;
  if (ms > figures.slowest) Object.assign(figures, { slowest: ms, slowestIs: id });
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
}

const running = new Set<Promise<unknown>>();
let alone: Promise<unknown> = Promise.resolve();

async function send(request: FuzzRequest): Promise<Answer> {
  await alone;
  const sending = service.send(request);
  const ended: Promise<unknown> = sending.catch(() => undefined).then(() => running.delete(ended));
  running.add(ended);
  return sending;
}

/** Sends a request once no other is on its way; all others wait for it. */
function sendAlone(request: FuzzRequest): Promise<Answer> {
  const sending = alone.then(async () => {
    while (running.size > 0) await Promise.all(running);
    return service.send(request);
  });
  alone = sending.catch(() => undefined);
  return sending;
}

/** Sends a request; repeats a slow one alone, since a busy machine is slow too. @throws Error with the faults */
async function attempt(request: FuzzRequest, again = false): Promise<void> {
  await service.refresh();
  const answer = await (again ? sendAlone : send)(request);
  const [id, code] = [String(answer.headers['x-request-id']), codeOf(answer)];
  count(request, answer, code);
  if (answer.status >= 400) refused.push(id);
  if (code === 'unauthenticated' && request.as) service.wears(request.as);
  const isSlow = answer.ms > MAX_MS && !again;
  const faults = faultsOf(request, isSlow ? { ...answer, ms: 0 } : answer, service.writesOf(id));
  if (faults.length > 0)
    throw new Error(
      [...faults, `${answer.status} ${answer.text.slice(0, 500)}`, ...service.linesOf(id)].join('\n  '),
    );
  if (isSlow) await attempt(request, true);
}

/** Sends what follows from a seed. Once one request has failed, only that is sent, shrunk. */
async function batch(seed: number, numRuns: number): Promise<boolean> {
  let isFailing = false;
  const property = fc.asyncProperty(requests, async (request) => {
    if (failingSince !== undefined && (!isFailing || Date.now() - failingSince > SHRINK_MS)) return;
    await attempt(request).catch((error) => {
      isFailing ||= failingSince === undefined;
      failingSince ??= Date.now();
      if (isFailing) throw error;
    });
  });
  const { path } = options;
  const result = await fc.check(property, { seed, numRuns, ...(path === undefined ? {} : { path }) });
  if (!result.failed) return true;
  const request = JSON.stringify(result.counterexample?.[0]);
  console.log(`
Failed, after ${result.numShrinks} shrinks: ${(result.errorInstance as Error).message}

${request}

Again: npm run fuzz -- --seed ${seed} --path ${result.counterexamplePath}
   or: npm run fuzz -- --request '${request.replaceAll("'", "'\\''")}'`);
  return false;
}

async function run(): Promise<boolean> {
  const { seed, path, request } = options;
  if (request !== undefined) return attempt(JSON.parse(request)).then(() => true);
  if (path !== undefined) return batch(seed, BATCH);
  let next = 0;
  const worker = async (): Promise<boolean> => {
    if (next >= options.requests || failingSince !== undefined) return true;
    const first = next;
    next += BATCH;
    return (await batch((seed + first / BATCH) | 0, Math.min(BATCH, options.requests - first))) && worker();
  };
  if ((await Promise.all(Array.from({ length: CONNECTIONS }, worker))).includes(false)) return false;
  await service.settled();
  const late = refused.filter((id) => service.writesOf(id).length > 0);
  for (const id of late)
    console.log(`${id} was refused, and wrote later: ${service.writesOf(id).join('; ')}`);
  return late.length === 0;
}

console.log(`Seed ${options.seed}`);
const start = performance.now();
const isGood = await run().catch((error: Error) => {
  console.log(error.message);
  return false;
});
const seconds = (performance.now() - start) / 1000;
await service.stop();
const share = (number = 0) => `${((100 * number) / Math.max(1, figures.sent)).toFixed(1)} %`;
console.log(`
${figures.sent} requests in ${seconds.toFixed(1)} s: ${Math.round(figures.sent / seconds)} a second
Past authentication ${share(figures.past)}, succeeded ${share(statuses.get(200))}
Answers ${[...statuses]
  .sort()
  .map(([status, number]) => `${status}: ${number}`)
  .join('  ')}
Slowest answer ${Math.round(figures.slowest)} ms (${figures.slowestIs})`);
process.exitCode = isGood ? 0 : 1;
