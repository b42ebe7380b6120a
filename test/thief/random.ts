import type { Memory } from './memory.ts';
import { effectOf, type Found, notes } from './search.ts';
import { type State, type Step, traceOf, type World } from './world.ts';

/** A generator of numbers from 0 to 1 that depends on its seed only (mulberry32). */
export function randomFrom(seed: number): () => number {
  let at = seed >>> 0;
  return () => {
    at = (at + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(at ^ (at >>> 15), 1 | at);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Steps of one random sequence: three times the depth of the deepest attack that was found. */
const LENGTH = 30;

/** Takes a random sequence of steps that the service permits. @returns its last state, and what was found on the way */
export async function wander(
  world: World,
  start: State,
  stepsFrom: (state: State) => Iterable<Step>,
  memory: Memory,
  random: () => number,
) {
  const { powers, note, noteLoot } = notes();
  const revivals: Found['revivals'] = [];
  let state = start;
  for (let taken = 0; taken < LENGTH; ) {
    const remembered = memory.in(state);
    const open = [...stepsFrom(state)].filter((step) => !step.isRead && remembered.known(step) !== 'refused');
    const step = open[Math.floor(random() * open.length)];
    if (!step) break;
    const after = await world.take(state, step);
    if (typeof after === 'string') {
      remembered.note(step, 'refused', after === 'lacks role');
      continue;
    }
    note(step.power, () => traceOf(after.state));
    for (const secret of after.revived) revivals.push({ secret, trace: traceOf(after.state) });
    const effect = effectOf(state.facts, after.state.facts);
    remembered.note(step, effect.removed.length + effect.added.length === 0 ? 'no effect' : effect);
    ({ state } = after);
    noteLoot(state);
    taken++;
  }
  return { state, powers, revivals };
}
