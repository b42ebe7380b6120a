import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
  ['First rotation, gateways obey `no-store`', {}, firstRotation(true)],
  ['First rotation, gateways cache the empty set', { refused: 120 }, firstRotation(false)],
  ['A rotation', {}, onSettled({ 0: rotate })],
  ['Two rotations, 10 min apart', {}, onSettled({ 0: rotate, [SOON]: rotate })],
  ['Three rotations, 2 h 10 min apart', {}, onSettled({ 0: rotate, [LEAD]: rotate, [2 * LEAD]: rotate })],
  [
    'The key that signs is revoked',
    { revokedAccepted: 120 },
    onSettled({ [SOON]: () => revokeAndRotate('signing') }),
  ],
  [
    'The successor is revoked',
    { revokedAccepted: 120 },
    onSettled({ [SOON]: () => revokeAndRotate('successor') }),
  ],
  [
    'The key that signs is revoked 10 min after a rotation',
    { refused: 110, revokedAccepted: 120 },
    onSettled({ 0: rotate, [SOON]: () => revokeAndRotate('signing') }),
  ],
  [
    'The key that signs is revoked 2 h 10 min after a rotation',
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
  ['Restore to before the last two rotations, in the order below', {}, restore(2, () => sim.publishRing())],
  [
    'Restore to before the last two rotations, first token after 10 min',
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
    'Blue/green, green is asked for tokens at once',
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
    'Blue is deleted before green rotates',
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
    'Blue is deleted before green rotates, its keys are revoked',
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

const durationOf = (minutes: number) => {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours && `${hours} h`, rest && `${rest} min`].filter(Boolean).join(' ') || '0';
};

test('the page has these figures', () => {
  const rows = SCENARIOS.map(([name, figures]) => {
    const { refused, unavailable, revokedAccepted } = { ...NONE, ...figures };
    return `| ${[name, ...[refused, unavailable, revokedAccepted].map(durationOf)].join(' | ')} |`;
  });
  const page = readFileSync(join(import.meta.dirname, '../../../lib/resource/README.md'), 'utf8');
  const [, table] = page.split(
    '| What happens | Tokens refused | No tokens (503) | Revoked key accepted |\n',
  );
  expect(table?.split('\n').slice(1, rows.length + 2)).toEqual([...rows, '']);
});
