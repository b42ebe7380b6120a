import { expect, test, vi } from 'vitest';
import { NOON } from '../support/engine.ts';
import { logLines } from '../support/log-lines.ts';
import { type Events, type Figures, LEAD, MINUTE, openGateways } from './gateways.ts';

vi.mock('jose', async (original) =>
  (await import('../support/pooled-keys.ts')).withPooledKeys(await original()),
);

const sim = await openGateways();
const { clock, rotate, revoke, start, stop, secrets } = sim;
logLines();

/** Waits of the scenarios, in minutes. */
const SOON = 10;
const LATER = 2 * LEAD;

/** An instance whose keys all gateways know, at minute 0. */
async function settled() {
  clock.time = NOON - LATER * MINUTE;
  await rotate();
  clock.time = NOON;
  return start();
}

const revokeAndRotate = async (stage: Parameters<typeof revoke>[0]) => {
  await revoke(stage);
  await rotate();
};

/** Events on an instance whose keys all gateways know. */
const onSettled = (events: Events) => async () => {
  await settled();
  await sim.pass(0, events);
};

/** A first rotation, after gateways have fetched an empty set. */
const firstRotation = (obeys: boolean) => async () => {
  sim.obeyNoStore(obeys);
  await sim.pass(0, {
    [LATER]: async () => {
      await rotate();
      start();
    },
  });
};

/** Restores the table to before so many rotations; gateways fetch, and soon the instance is asked for tokens again. */
const restore = (count: number, publish: () => Promise<unknown> | undefined) => async () => {
  const former = await settled();
  const restoreTable = await sim.copy();
  const at = count * LATER;
  const rotations = Array.from({ length: count }, (_, n) => [n * LATER, rotate]);
  await sim.pass(0, { ...Object.fromEntries(rotations), [at - SOON]: () => undefined }, at - SOON);
  stop(former);
  await sim.pass(at, {
    [at]: async () => {
      await restoreTable();
      await publish();
    },
    [at + SOON]: () => void start(),
  });
};

/** A second stack takes the table over; `blue` is the first one. */
const adopt =
  (events: (blue: ReturnType<typeof start>, green: Awaited<ReturnType<typeof newStack>>) => Events) =>
  async () => {
    const blue = await settled();
    await sim.pass(0, events(blue, await newStack()));
  };

/** A stack whose secret has no key yet. */
const newStack = async () => {
  const secret = await secrets.create('none');
  return { rotate: () => rotate('finishSecret', secret), start: () => void start(secret) };
};

const NONE: Figures = { refused: 0, unavailable: 0, revokedAccepted: 0 };

/** What happens, as the page says it, with its figures in minutes. */
const SCENARIOS: [string, Partial<Figures>, () => Promise<unknown>][] = [
  ['First rotation; gateways obey `no-store`', {}, firstRotation(true)],
  ['First rotation; gateways cache the empty set', { refused: 120 }, firstRotation(false)],
  ['A rotation', {}, onSettled({ 0: rotate })],
  ['Two rotations, 10 min apart', {}, onSettled({ 0: rotate, [SOON]: rotate })],
  ['Three rotations, 2 h 10 min apart', {}, onSettled({ 0: rotate, [LEAD]: rotate, [2 * LEAD]: rotate })],
  [
    'The signing key is revoked',
    { revokedAccepted: 120 },
    onSettled({ [SOON]: () => revokeAndRotate('signing') }),
  ],
  [
    'Its successor is revoked',
    { revokedAccepted: 120 },
    onSettled({ [SOON]: () => revokeAndRotate('successor') }),
  ],
  [
    'The signing key is revoked 10 min after a rotation',
    { refused: 110, revokedAccepted: 120 },
    onSettled({ 0: rotate, [SOON]: () => revokeAndRotate('signing') }),
  ],
  [
    'The signing key is revoked 2 h 10 min after a rotation',
    { revokedAccepted: 120 },
    onSettled({ 0: rotate, [LEAD]: () => revokeAndRotate('signing') }),
  ],
  [
    'Both keys are revoked',
    { refused: 120, revokedAccepted: 120 },
    onSettled({
      [SOON]: async () => {
        await revoke('successor');
        await revokeAndRotate('signing');
      },
    }),
  ],
  ['Restore to before the last rotation', {}, restore(1, async () => undefined)],
  ['Restore to before the last two rotations, keys published first', {}, restore(2, () => sim.publishRing())],
  [
    'Restore to before the last two rotations, without',
    { refused: 120 + SOON },
    restore(2, async () => undefined),
  ],
  [
    'Blue/green, in the order below',
    { unavailable: 0 },
    adopt((blue, green) => ({
      [SOON]: green.rotate,
      [SOON + LEAD]: green.start,
      [LATER]: () => stop(blue),
      [LATER + SOON]: green.rotate,
    })),
  ],
  [
    'Blue/green, green is asked at once',
    { unavailable: LEAD },
    adopt((blue, green) => ({
      [SOON]: async () => {
        await green.rotate();
        green.start();
      },
      [LATER]: () => stop(blue),
    })),
  ],
  [
    'Blue/green, blue rotates while green waits',
    {},
    adopt((blue, green) => ({
      [SOON]: green.rotate,
      [LEAD]: rotate,
      [2 * LATER]: green.start,
      [2 * LATER + SOON]: () => stop(blue),
    })),
  ],
  [
    'Blue/green, both rotate and sign',
    {},
    adopt((_blue, green) => ({
      [SOON]: green.rotate,
      [LATER]: green.start,
      [LATER + SOON]: green.rotate,
      [LATER + 2 * SOON]: rotate,
    })),
  ],
  [
    'Adoption after blue was deleted',
    { unavailable: LEAD },
    adopt((blue, green) => ({
      0: () => stop(blue),
      [SOON]: async () => {
        await green.rotate();
        green.start();
      },
    })),
  ],
  [
    'The same, and both keys of blue are revoked',
    { refused: 120, revokedAccepted: 120 },
    adopt((blue, green) => ({
      0: () => stop(blue),
      [SOON]: async () => {
        await revoke('signing');
        await revoke('successor');
        await green.rotate();
        green.start();
      },
    })),
  ],
];

test.each(SCENARIOS)(
  'gateways refuse and accept tokens as long as the page says: %s',
  async (_name, figures, run) => {
    await run();
    expect(sim.figures()).toEqual({ ...NONE, ...figures });
  },
);
