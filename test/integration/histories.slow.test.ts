import { describe, expect, inject, test } from 'vitest';
import type { Answer, Operation } from '../histories/account-model.ts';
import { runEpisode } from '../histories/episode.ts';
import { type Entry, isLinearisable } from '../histories/linearisable.ts';
import { onInstance } from '../histories/running-instance.ts';
import { admin, baseUrl } from './service.ts';

/** One after the other, or at the same time where several are in a list; without an answer, it never came. */
type Step = readonly [Operation, Answer?];
type Steps = readonly (Step | readonly Step[])[];

const isStep = (step: Steps[number]): step is Step => !Array.isArray(step[0]);

const historyOf = (steps: Steps): Entry[] =>
  steps.flatMap((step, at) =>
    (isStep(step) ? [step] : step).map(([operation, answer]) => ({
      operation,
      start: at,
      end: answer === undefined ? Number.POSITIVE_INFINITY : at + 0.5,
      answer,
    })),
  );

const [lock, cancel, events, profile] = (['lock', 'cancel', 'events', 'profile'] as const).map((kind) => ({
  kind,
})) as [Operation, Operation, Operation, Operation];
const create: Step = [{ kind: 'create', token: 'a' }, [200, 's']];
const remove: Step = [{ kind: 'delete', token: 'a' }, [200]];
const use = (status: number): Step => [{ kind: 'use', secret: 's' }, [status]];
const login: Step = [{ kind: 'login', secret: 's' }, [200, 'x']];
const logout: Step = [{ kind: 'logout', stamp: 'x' }, [200]];
const session = (status: number): Step => [{ kind: 'session', stamp: 'x' }, [status]];
const copied: Step = [{ kind: 'copy', roles: ['r'] }, [200, ['r']]];
const locked: Step = [lock, [200, true, true, true]];

test.each<[string, Steps]>([
  ['its order', [create, use(200), remove, use(401)]],
  ['an order of what overlaps', [create, [use(401), remove, use(200)]]],
  ['the effect of an operation without an answer', [create, [lock], use(200), use(401)]],
  ['an operation without an answer that never happened', [[cancel], [events, [200, 0]]]],
  ['a session that its logout ends', [create, login, session(200), logout, session(401)]],
])('a history is explained by %s', (_, steps) => {
  expect(isLinearisable(historyOf(steps))).toBe(true);
});

test.each<[string, Steps]>([
  ['a token that is gone although its creation was acknowledged', [create, use(401)]],
  ['a token that works after its deletion', [create, remove, use(200)]],
  ['two changes of one lock', [[locked, locked]]],
  ['a lock that let an account in afterwards', [create, locked, use(200)]],
  [
    'an event that was lost',
    [
      [cancel, [200, true, false, false]],
      [events, [200, 0]],
    ],
  ],
  ['an event without a cancellation', [[events, [200, 1]]]],
  ['a session that outlives its logout', [create, login, logout, session(200)]],
  ['roles that were added twice', [[copied, copied]]],
  ['roles that are gone', [copied, [profile, [200, '', []]]]],
])('no order explains %s', (_, steps) => {
  expect(isLinearisable(historyOf(steps))).toBe(false);
});

describe.skipIf(inject('stack'))('an account that several clients change at the same time', async () => {
  const service = await onInstance(async () => baseUrl, inject('data'), admin.token as string);

  test.each([1, 2, 3, 4])('has answers that an order explains, five times: %i', async () => {
    const episodes = await Promise.all(Array.from({ length: 5 }, () => runEpisode(service, 3, 10)));
    for (const { history, broken } of episodes) {
      expect(broken).toEqual([]);
      expect(isLinearisable(history), JSON.stringify(history)).toBe(true);
    }
  });
});
