import { leftAfter } from './ends.ts';
import { newMemory } from './memory.ts';
import { randomFrom, wander } from './random.ts';
import { powersIn, reachOf, record, recorded } from './reach.ts';
import { search } from './search.ts';
import { openService } from './service.ts';
import { isNothing, STARTS, type Start, startOf, theftOf, titleOf } from './starts.ts';
import { stepsFrom } from './steps.ts';
import { type State, traceOf, worldOf } from './world.ts';

/** The options of a run. */
export interface Options {
  readonly start: readonly string[];
  readonly depth: number;
  readonly width: number;
  readonly minutes: number;
  readonly ends: number;
  readonly random: number;
  readonly seed: number;
  readonly record?: true;
}

const inWords = (trace: readonly string[]) => trace.map((step, n) => `\n      ${n + 1}. ${step}`).join('');

/** Longest sequence of raw writes: two that a role joins. */
const MAX_WRITES = 2;

/** The starts that the options name, each after the start without a theft under its settings. */
function chosenBy(texts: readonly string[]): Start[] {
  const named = STARTS.filter((start) =>
    texts.some((text) => text.split(',').every((part) => titleOf(start).includes(part))),
  );
  const settings = new Set(named.map((start) => start.settings));
  return STARTS.filter(
    (start) => named.includes(start) || (isNothing(start) && settings.has(start.settings)),
  );
}

/** Runs the searches that the options name, and prints their findings; resolves to the exit status. */
export async function run({ start: texts, ...options }: Options): Promise<number> {
  const began = process.hrtime.bigint();
  const spent = () => Number((process.hrtime.bigint() - began) / 1_000_000n);
  const chosen = chosenBy(texts);
  const service = await openService();
  const world = worldOf(service);
  const before = recorded();
  const found: Record<string, ReturnType<typeof reachOf>> = {};
  /** What every account can do, by the settings. */
  const ordinary = new Map<string, Set<string>>();
  const totals = {
    starts: 0,
    states: 0,
    steps: 0,
    taken: 0,
    sequences: 0,
    ends: 0,
    deepest: 0,
    incomplete: 0,
  };
  const findings = new Set<string>();
  const tell = (finding: string, trace: readonly string[] = []) => {
    if (findings.has(finding)) return;
    findings.add(finding);
    console.log(`  ${finding}${inWords(trace)}`);
  };

  async function play(start: Start, ms: number) {
    const title = titleOf(start);
    const begun = await startOf(service, world, start);
    const { needs, must } = theftOf(start);
    const steps = (from: State) => stepsFrom(world, start, begun, from);
    const end = async (state: State) => {
      totals.ends++;
      for (const { end, what } of await leftAfter(world, state, start))
        tell(`LEFT ${title}: ${what}, after ${end}`, traceOf(state));
    };
    let ends = 0;
    // What a step does depends on what the thief holds: no start knows it of another.
    const memory = newMemory();
    const limits = {
      depth: needs ? Math.min(options.depth, MAX_WRITES) : options.depth,
      width: options.width === 0 ? undefined : (options.width as 1 | 2),
      ms,
    };
    const result = await search(world, begun.state, steps, limits, memory, async (state) => {
      if (ends++ < options.ends) await end(state);
    });
    const { powers, revivals } = result;
    const random = randomFrom(options.seed);
    for (let n = 0; n < options.random; n++) {
      const wandered = await wander(world, begun.state, steps, memory, random);
      for (const [power, trace] of wandered.powers) if (!powers.has(power)) powers.set(power, trace);
      revivals.push(...wandered.revivals);
      await end(wandered.state);
      totals.sequences++;
    }

    const everybodys = ordinary.get(start.settings) ?? new Set();
    if (isNothing(start)) ordinary.set(start.settings, new Set(powers.keys()));
    for (const power of everybodys) powers.delete(power);
    const reach = reachOf(powers);
    // A search without an end would leave out what it has not come to.
    if (result.isComplete) found[title] = reach;
    // A raw write may revive what it likes: what works then is a power of the role.
    for (const { secret, trace } of needs ? [] : revivals)
      tell(`REVIVED ${title}: the ${secret} had ended, and works again`, trace);
    for (const { what, trace } of result.excesses)
      tell(`BEYOND ${title}: a token for another service has ${what}`, trace);
    // A search without an end has not shown that nothing reaches it.
    for (const pattern of (result.isComplete && must?.(start.owner)) || [])
      if (![...powers.keys()].some((power) => pattern.test(power)))
        tell(`LOCKED OUT ${title}: nothing reaches ${pattern.source}`);
    const known = new Set(powersIn(before[title] ?? { has: {}, does: {} }));
    for (const power of powersIn(reach))
      if (!known.has(power)) tell(`NEW PATH ${title}: ${power}`, powers.get(power));
    totals.starts++;
    totals.states += result.states;
    totals.steps += result.steps;
    totals.taken += result.tried;
    totals.deepest = Math.max(totals.deepest, result.depth);
    totals.incomplete += Number(!result.isComplete);
    console.log(
      `${title}: ${result.states} states, ${result.steps} steps, ${result.tried} taken, depth ${result.depth}${result.isComplete ? '' : ', incomplete'}`,
    );
  }

  for (const [index, start] of chosen.entries())
    await play(start, (options.minutes * 60_000 - spent()) / (chosen.length - index));
  for (const fault of service.faults) tell(`ERROR ${fault}`);
  await service.close();
  if (options.record) record(found, STARTS.map(titleOf));
  const minutes = Number((spent() / 60_000).toFixed(1));
  console.log(JSON.stringify({ ...totals, minutes, findings: findings.size }));
  return findings.size > 0 && !options.record ? 1 : 0;
}
