import { beforeAll, describe, expect, inject, test } from 'vitest';
import type { Answer, Operation } from '../histories/account-model.ts';
import { runEpisode } from '../histories/episode.ts';
import { type Entry, isLinearisable } from '../histories/linearisable.ts';
import { onInstance } from '../histories/running-instance.ts';
import type { Service } from '../histories/service.ts';
import { admin, baseUrl } from './service.ts';

/** `[operation, start, end, answer]`; one that is given no answer got none. */
type Line = [Operation, number, number, Answer?];

const historyOf = (lines: readonly Line[]): Entry[] =>
  lines.map(([operation, start, end, answer]) => ({
    operation,
    start,
    end: answer === undefined ? Number.POSITIVE_INFINITY : end,
    answer,
  }));

const LOCK: Operation = { kind: 'lock' };
const CANCEL: Operation = { kind: 'cancel' };
const CREATE: Operation = { kind: 'create', token: 'a' };
const DELETE: Operation = { kind: 'delete', token: 'a' };
const USE: Operation = { kind: 'use', secret: 's' };
const LOGIN: Operation = { kind: 'login', secret: 's' };
const LOGOUT: Operation = { kind: 'logout', stamp: 'x' };
const SESSION: Operation = { kind: 'session', stamp: 'x' };
const EVENTS: Operation = { kind: 'events' };
const COPY: Operation = { kind: 'copy', roles: ['r'] };
const PROFILE: Operation = { kind: 'profile' };
const MADE = [200, 's'];

describe('a history is explained', () => {
  test.each<[string, Line[]]>([
    [
      'by its order',
      [
        [CREATE, 0, 1, MADE],
        [USE, 2, 3, [200]],
        [DELETE, 4, 5, [200]],
        [USE, 6, 7, [401]],
      ],
    ],
    [
      'by an order of what overlaps',
      [
        [CREATE, 0, 1, MADE],
        [DELETE, 2, 5, [200]],
        [USE, 3, 4, [200]],
        [USE, 3, 4, [401]],
      ],
    ],
    [
      'by the effect of what was never answered',
      [
        [CREATE, 0, 1, MADE],
        [LOCK, 2, 3],
        [USE, 4, 5, [200]],
        [USE, 6, 7, [401]],
      ],
    ],
    [
      'by what was never answered and never happened',
      [
        [CANCEL, 0, 1],
        [EVENTS, 2, 3, [200, 0]],
      ],
    ],
    [
      'by a session that outlives nothing',
      [
        [CREATE, 0, 1, MADE],
        [LOGIN, 2, 3, [200, 'x']],
        [LOGOUT, 4, 5, [200]],
        [SESSION, 6, 7, [401]],
      ],
    ],
  ])('%s', (_, lines) => {
    expect(isLinearisable(historyOf(lines))).toBe(true);
  });
});

describe('no order explains', () => {
  test.each<[string, Line[]]>([
    [
      'a token that is gone although its creation was acknowledged',
      [
        [CREATE, 0, 1, MADE],
        [USE, 2, 3, [401]],
      ],
    ],
    [
      'a token that works after its deletion',
      [
        [CREATE, 0, 1, MADE],
        [DELETE, 2, 3, [200]],
        [USE, 4, 5, [200]],
      ],
    ],
    [
      'two changes of one lock',
      [
        [LOCK, 0, 3, [200, true, true, true]],
        [LOCK, 1, 2, [200, true, true, true]],
      ],
    ],
    [
      'a lock that let an account in afterwards',
      [
        [CREATE, 0, 1, MADE],
        [LOCK, 2, 3, [200, true, true, true]],
        [USE, 4, 5, [200]],
      ],
    ],
    [
      'an event that was lost',
      [
        [CANCEL, 0, 1, [200, true, false, false]],
        [EVENTS, 2, 3, [200, 0]],
      ],
    ],
    ['an event without a cancellation', [[EVENTS, 2, 3, [200, 1]]]],
    [
      'a session that outlives its logout',
      [
        [CREATE, 0, 1, MADE],
        [LOGIN, 2, 3, [200, 'x']],
        [LOGOUT, 4, 5, [200]],
        [SESSION, 6, 7, [200]],
      ],
    ],
    [
      'roles that were added twice',
      [
        [COPY, 0, 3, [200, ['r']]],
        [COPY, 1, 2, [200, ['r']]],
      ],
    ],
    [
      'roles that are gone',
      [
        [COPY, 0, 1, [200, ['r']]],
        [PROFILE, 2, 3, [200, '', []]],
      ],
    ],
  ])('%s', (_, lines) => {
    expect(isLinearisable(historyOf(lines))).toBe(false);
  });
});

describe.skipIf(inject('stack'))('whatever clients do with one account at the same time', () => {
  let service: Service;
  beforeAll(async () => {
    service = await onInstance(async () => baseUrl, inject('data'), admin.token as string);
  });

  test.each([1, 2, 3, 4])('an order explains the answers, five times: %i', async () => {
    const episodes = await Promise.all(Array.from({ length: 5 }, () => runEpisode(service, 3, 10)));
    for (const { history, broken } of episodes) {
      expect(broken).toEqual([]);
      expect(isLinearisable(history), JSON.stringify(history)).toBe(true);
    }
  });
});
