import { expect, test, vi } from 'vitest';
import type { Lambda } from '#infra/local/services/lambda/lambda';
import { startSchedule } from '#infra/local/services/lambda/schedule';
import { completeErasures } from '#lib/erasure/jobs';
import { relayOutbox } from '#lib/outbox/jobs';
import { followTeams } from '#lib/team/jobs';
import { announceExpiring, removeRevokedTokens } from '#lib/token/jobs';
import { refreshKeys } from '#lib/trust/jobs';

test('the schedule runs each job at once, then as often as its definition says, until it is closed', () => {
  vi.useFakeTimers();
  const invoke = vi.fn(async (_id: string) => undefined);
  const schedule = startSchedule({ invoke } as unknown as Lambda);
  vi.advanceTimersByTime(3_600_000);
  schedule.close();
  vi.advanceTimersByTime(3_600_000);
  vi.useRealTimers();
  const runs = Map.groupBy(invoke.mock.calls, ([id]) => id);
  expect([...runs].map(([id, all]) => [id, all.length])).toEqual([
    [relayOutbox.id, 61],
    [announceExpiring.id, 2],
    [removeRevokedTokens.id, 13],
    [completeErasures.id, 13],
    [followTeams.id, 13],
    [refreshKeys.id, 2],
  ]);
});
