import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { replay } from '../../../infra/admin/events/replay.ts';
import { sendSample } from '../../../infra/admin/events/samples.ts';
import type { Target } from '../../../infra/admin/target.ts';
import { ServiceError } from '../../../infra/local/machine/serve-aws.ts';
import { openPosts } from '../local/posts.ts';
import { newFolder } from '../support/folder.ts';
import { openScriptedAws } from '../support/scripted-aws.ts';

const archive = { arn: 'arn:archive', busArn: 'arn:bus' };
const options = { since: 1_000_000, until: 2_000_000, rule: 'own-rule', wait: true };

let states: string[];
const bus = await openScriptedAws('AWSEvents', 'AWS_ENDPOINT_URL_EVENTBRIDGE', {
  DescribeRule: ({ Name, EventBusName }) => {
    if (Name !== 'own-rule') throw new ServiceError('ResourceNotFoundException', `No rule ${Name}`);
    return { Arn: `arn:${EventBusName}/${Name}` };
  },
  StartReplay: () => ({ State: 'STARTING' }),
  DescribeReplay: () => ({ State: states.shift(), StateReason: 'because' }),
});

/** A replay of a stack whose EventBridge reports these states, and the input of StartReplay. */
async function replayOf(reported: string[], changes: Partial<typeof options> = {}) {
  states = reported;
  const progress = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => progress.mockRestore());
  const answer = await replay({ eventBus: 'b', archive } as Target, { ...options, ...changes });
  return { answer, started: bus.calls[1]?.input ?? {}, printed: progress.mock.calls.flat() };
}

test('a replay of a stack sends the events of the period from the archive to one rule, and waits for the end', async () => {
  const { answer, started, printed } = await replayOf(['RUNNING', 'COMPLETED']);
  const times = { since: '1970-01-01T00:16:40.000Z', until: '1970-01-01T00:33:20.000Z' };
  expect(answer).toEqual({ replay: started['ReplayName'], rule: 'own-rule', state: 'COMPLETED', ...times });
  expect(started).toEqual({
    ReplayName: expect.stringMatching(/^admin-[\dTZ-]+$/),
    EventSourceArn: 'arn:archive',
    EventStartTime: 1000,
    EventEndTime: 2000,
    Destination: { Arn: 'arn:bus', FilterArns: ['arn:b/own-rule'] },
  });
  expect(printed).toEqual([expect.stringMatching(/RUNNING$/), expect.stringMatching(/COMPLETED$/)]);
});

test('a replay of a stack does not wait with --no-wait', async () => {
  expect((await replayOf([], { wait: false })).answer).toMatchObject({ state: 'STARTING' });
});

test.each([['FAILED'], ['CANCELLED']])('a replay of a stack is refused when it ends as %s', async (state) => {
  const message = expect.stringContaining(`${state}: because`);
  const failed = { name: 'replay_failed', message, details: { changed: true } };
  await expect(replayOf([state])).rejects.toMatchObject(failed);
});

test('a replay of a stack names itself when its state cannot be read', async () => {
  bus.script((operation) => {
    if (operation === 'DescribeReplay') throw new ServiceError('AccessDeniedException', 'No');
    return undefined;
  });
  const message = expect.stringMatching(/^The replay admin-[\dTZ-]+ has started, but then: No$/);
  const error = { name: 'AccessDeniedException', message, details: { changed: true } };
  await expect(replayOf([])).rejects.toMatchObject(error);
});

test('a replay of a stack is refused for an unknown rule', async () => {
  const unknown = { name: 'ResourceNotFoundException' };
  await expect(replayOf([], { rule: 'other' })).rejects.toMatchObject(unknown);
});

test('a replay of a local instance sends the matching events of its file from the begin of the period until before its end', async () => {
  const [data, posts] = [newFolder(), await openPosts()];
  onTestFinished(posts.close);
  const event = (time: number) =>
    JSON.stringify({ time: new Date(time).toISOString(), detail: { odd: time % 2 } });
  const times = [999_999, 1_000_000, 1_999_999, 2_000_000];
  writeFileSync(join(data, 'events.jsonl'), times.map(event).join('\n'));
  const answer = (await replay({ data, subscribe: posts.url } as Target, options)) as { replay: string };
  expect(answer).toMatchObject({ replay: expect.stringMatching(/^admin-/), sent: 2 });
  expect(posts.events.map((each) => each['replay-name'])).toEqual(Array(2).fill(answer.replay));
  const matching = { data, subscribe: posts.url, pattern: '{"detail":{"odd":[1]}}' } as Target;
  expect(await replay(matching, options)).toMatchObject({ sent: 1 });
});

test('a sample is sent once, with a source of its own', async () => {
  const posts = await openPosts(() => 302);
  onTestFinished(posts.close);
  const refused = { name: 'not_received' };
  await expect(sendSample('user_lock', { to: posts.url })).rejects.toMatchObject(refused);
  expect(posts.events).toMatchObject([{ source: 'core.account.sample', 'detail-type': 'user_lock' }]);
});
