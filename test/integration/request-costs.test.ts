import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount } from '#lib/account/create';
import { contracts } from '#lib/routes';
import { BUDGETS } from '../../infra/cost/budgets.ts';
import { startMeasuredInstance } from '../bench/instance.ts';
import { subjectsOf } from '../bench/subjects.ts';
import { inParallel } from '../in-parallel.ts';

/** Accounts that no request is about: no budget depends on their number. */
const OTHERS = 300;

let measured: Awaited<ReturnType<typeof startMeasuredInstance>>;

beforeAll(async () => {
  measured = await startMeasuredInstance({ delayMs: 10 });
  const others = Array.from({ length: OTHERS }, (_, n) => `other-${n}`);
  await inParallel(others, (username) => createAccount(measured.instance.runtime, { username }), 16);
});

afterAll(() => measured.stop());

test.each(contracts.map(({ id }) => id))('%s costs its budget of units and round trips', async (id) => {
  const { reads, writes, trips } = BUDGETS[id] ?? {};
  expect(await measured.costOf(subjectsOf(id, measured.instance))).toEqual({ reads, writes, trips });
});
