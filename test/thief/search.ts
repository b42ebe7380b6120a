import type { Effect, Memory } from './memory.ts';
import { noveltyOf } from './novelty.ts';
import { isGain, kindOf } from './secrets.ts';
import { type State, type Step, traceOf, type World } from './world.ts';

export interface Limits {
  readonly depth: number;
  /** 1 or 2: a state is visited if a fact, or a pair of facts, is new; undefined: each state. */
  readonly width: 1 | 2 | undefined;
  /** Longest time of this search, in milliseconds of the real clock. */
  readonly ms: number;
}

/** What a thief was found to do. */
export interface Found {
  /** With the shortest steps to each power. */
  readonly powers: Map<string, readonly string[]>;
  /** Secrets that ended and worked again. */
  readonly revivals: { readonly secret: string; readonly trace: readonly string[] }[];
  /** What tokens for other services have beyond the credentials of the thief. */
  readonly excesses: { readonly what: string; readonly trace: readonly string[] }[];
  readonly states: number;
  readonly depth: number;
  /** Steps that were considered, and those of them that the service took. */
  readonly steps: number;
  readonly tried: number;
  readonly isComplete: boolean;
}

const now = () => Number(process.hrtime.bigint() / 1_000_000n);

/** Notes the powers of states, each with the first steps that lead to it. */
export function notes() {
  const powers: Found['powers'] = new Map();
  const note = (power: string | undefined, trace: () => readonly string[]) => {
    if (power !== undefined && !powers.has(power)) powers.set(power, trace());
  };
  return {
    powers,
    note,
    /** @returns whether the thief has something for the first time */
    noteLoot(state: State): boolean {
      const before = powers.size;
      for (const secret of state.loot)
        if (isGain(secret)) note(`has the ${kindOf(secret)}`, () => traceOf(state));
      return powers.size > before;
    },
  };
}

const applied = ({ removed, added }: Effect, facts: readonly string[], own: ReadonlySet<string>) =>
  [...facts.filter((fact) => !removed.includes(fact)), ...added.filter((fact) => !own.has(fact))].sort();

export const effectOf = (before: readonly string[], after: readonly string[]): Effect => ({
  removed: before.filter((fact) => !after.includes(fact)),
  added: after.filter((fact) => !before.includes(fact)),
});

/**
 * Searches everything that can be reached from a state, breadth first: the first steps to a power are shortest ones. A step is not
 * taken again if its outcome is known, unless its effect leads to a state that is new.
 *
 * @param stepsFrom all steps from a state
 * @param visit is called with each state in which the thief has something for the first time
 */
export async function search(
  world: World,
  start: State,
  stepsFrom: (state: State) => Iterable<Step>,
  { depth, width, ms }: Limits,
  memory: Memory,
  visit: (state: State) => Promise<void>,
): Promise<Found> {
  const until = now() + ms;
  const novelty = noveltyOf(width);
  const { powers, note, noteLoot } = notes();
  const revivals: Found['revivals'] = [];
  const excesses: Found['excesses'] = [];
  const queue: State[] = [start];
  const gains = new Set<State>([start]);
  let [steps, tried, deepest, isComplete] = [0, 0, 0, true];

  novelty.mark(start.facts);
  noteLoot(start);
  let at = 0;
  for (; at < queue.length; at++) {
    const state = queue[at] as State;
    deepest = Math.max(deepest, state.depth);
    if (gains.has(state)) await visit(state);
    if (state.depth === depth || now() > until) {
      isComplete = false;
      continue;
    }
    const own = new Set(state.facts);
    const remembered = memory.in(state);
    for (const step of stepsFrom(state)) {
      steps++;
      if (step.isRead && step.power && powers.has(step.power)) continue;
      const known = remembered.known(step);
      if (known === 'refused') continue;
      if (known !== undefined) {
        note(step.power, () => [...traceOf(state), step.words]);
        if (known === 'no effect' || !novelty.isNovel(applied(known, state.facts, own), own)) continue;
      }
      tried++;
      const taken = await world.take(state, step);
      if (typeof taken === 'string') {
        remembered.note(step, taken === 'read' ? 'no effect' : 'refused', taken === 'lacks role');
        if (taken === 'read') note(step.power, () => [...traceOf(state), step.words]);
        continue;
      }
      const { state: after, revived, excess } = taken;
      note(step.power, () => traceOf(after));
      for (const what of excess) excesses.push({ what, trace: traceOf(after) });
      for (const secret of revived) revivals.push({ secret, trace: traceOf(after) });
      const effect = effectOf(state.facts, after.facts);
      const isStill = effect.removed.length + effect.added.length === 0;
      remembered.note(step, isStill ? 'no effect' : effect);
      if (isStill || !novelty.isNovel(after.facts, own)) continue;
      novelty.mark(after.facts, own);
      if (noteLoot(after)) gains.add(after);
      queue.push(after);
    }
  }
  return { powers, revivals, excesses, states: at, depth: deepest, steps, tried, isComplete };
}
