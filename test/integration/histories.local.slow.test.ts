import { describe, expect, inject, test } from 'vitest';
import type { Answer, Operation } from '../histories/account-model.ts';
import { runEpisode } from '../histories/episode.ts';
import { type Entry, isLinearisable } from '../histories/linearisable.ts';
import { onInstance } from '../histories/running-instance.ts';
import { admin, baseUrl } from './service.ts';

/** Steps in sequence, those of a list in parallel; a step without an answer never got one. */
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

const lock: Operation = { kind: 'lock' };
const cancel: Operation = { kind: 'cancel' };
const events: Operation = { kind: 'events' };
const profile: Operation = { kind: 'profile' };
const create: Step = [{ kind: 'create', token: 'a' }, [200, 's']];
const remove: Step = [{ kind: 'delete', token: 'a' }, [200]];
const use = (status: number): Step => [{ kind: 'use', secret: 's' }, [status]];
const OF_S = { stamp: 'x', secret: 's' };
const login: Step = [{ kind: 'login', secret: 's' }, [200, 'x']];
const logout: Step = [{ kind: 'logout', session: OF_S }, [200]];
const session = (status: number): Step => [{ kind: 'session', session: OF_S }, [status]];
const copied: Step = [{ kind: 'copy', roles: ['r'] }, [200, ['r']]];
const locked: Step = [lock, [200, true, true, true]];
const cancelled: Step = [cancel, [200, true, false, false]];

test.each<[boolean, string, Steps]>([
  [true, 'their order', [create, use(200), remove, use(401)]],
  [true, 'an order of what overlaps', [create, [use(401), remove, use(200)]]],
  [true, 'the effect of an operation without an answer', [create, [lock], use(200), use(401)]],
  [true, 'an operation without an answer or effect', [[cancel], [events, [200, 0]]]],
  [true, 'a session until its logout', [create, login, session(200), logout, session(401)]],
  [false, 'a token that is gone after its creation', [create, use(401)]],
  [false, 'a token that works after its deletion', [create, remove, use(200)]],
  [false, 'two changes by one lock', [[locked, locked]]],
  [false, 'a token that works after a lock', [create, locked, use(200)]],
  [false, 'a lost event', [cancelled, [events, [200, 0]]]],
  [false, 'an event without a cancellation', [[events, [200, 1]]]],
  [false, 'a session that outlives its logout', [create, login, logout, session(200)]],
  [true, 'a session until its token is gone', [create, login, session(200), remove, session(401)]],
  [false, 'a session that outlives its token', [create, login, remove, session(200)]],
  [false, 'roles that were added twice', [[copied, copied]]],
  [false, 'roles that are gone', [copied, [profile, [200, '', []]]]],
])('isLinearisable is %s for answers with %s', (expected, _, steps) => {
  expect(isLinearisable(historyOf(steps))).toBe(expected);
});

describe('an account that several clients change at the same time', async () => {
  const service = await onInstance(async () => baseUrl, inject('data'), admin.token as string);

  test.each([1, 2])('has answers that an order explains, five times: %i', async () => {
    const episodes = await Promise.all(Array.from({ length: 5 }, () => runEpisode(service, 3, 10)));
    for (const { history, broken } of episodes) {
      expect(broken).toEqual([]);
      expect(isLinearisable(history), JSON.stringify(history)).toBe(true);
    }
  });
});
