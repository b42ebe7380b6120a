import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createAccount } from '#lib/account/create';
import { openTarget } from '../../infra/admin/target.ts';
import type { InstanceFile } from '../../infra/local/ready.ts';
import { newSecret, verify } from '../../infra/local/services/signature.ts';
import { openPosts } from '../unit/local/posts.ts';
import { openCloudFormation } from './cloud-formation.ts';
import { newFolder } from './folder.ts';
import { startInstance } from './instance-process.ts';
import { json, run } from './operator.ts';
import { noted, post } from './service.ts';

/** An instance with a subscriber, which is down where `status` says so. */
let status = 204;
const subscriber = await openPosts(() => status);
const { posts, received, url } = subscriber;
const data = await newFolder();
const secret = noted(newSecret());
const { ready } = await startInstance({
  data,
  args: ['--no-demo', '--subscribe', url, '--pattern', '{"detail":{"username":[{"anything-but":"bob"}]}}'],
  env: { SUBSCRIBE_SECRET: secret },
});
const token = noted(ready.admin.token as string);
const { runtime } = await openTarget({ data });
for (const username of ['ada', 'bob', 'eve', 'kim']) await createAccount(runtime, { username });
afterAll(subscriber.close);

const where = { where: ['--data', data] };
const cancel = (username: string) => post(`/api/core/account/cancel/${username}`, { token, base: ready.url });
const usernames = () => posts.map(({ event }) => (event.detail as { username: string }).username);

test('tail shows what there is and what comes, until it is stopped', async () => {
  await cancel('ada');
  const follow = (...args: string[]) => {
    const child = spawn(process.execPath, ['infra/admin/main.ts', 'events', 'tail', '--data', data, ...args]);
    onTestFinished(() => void child.kill());
    let [out, err] = ['', ''];
    child.stdout.on('data', (text) => {
      out += text;
    });
    child.stderr.on('data', (text) => {
      err += text;
    });
    return { child, out: () => out, err: () => err };
  };
  const [lines, raw] = [follow(), follow('--json', '--lines', '1')];
  await vi.waitUntil(() => lines.err().includes('ada') && raw.out().includes('ada'), { timeout: 60_000 });
  await cancel('bob');
  await vi.waitUntil(() => lines.err().includes('bob') && raw.out().includes('bob'), { timeout: 60_000 });
  expect(lines.err()).toMatch(
    /^\S+Z {2}user_cancel {2}[\w-]{36} {2}ada\n\S+Z {2}user_cancel {2}\S+ {2}bob\n$/,
  );
  expect(lines.out()).toBe('');
  const text = await readFile(join(data, 'events.jsonl'), 'utf8');
  expect(text.endsWith(raw.out())).toBe(true);
  for (const { child } of [lines, raw]) {
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  }
});

test('pending shows what waits for the subscriber, which is not in the outbox', async () => {
  expect((await json(['events', 'pending'], '', where)).answer).toEqual([]);
  status = 500;
  await cancel('eve');
  await vi.waitUntil(() => usernames().includes('eve'));
  const { answer } = await json(['events', 'pending'], '', where);
  expect(answer).toEqual([
    {
      state: 'undelivered',
      waitsFor: 'subscriber',
      id: posts.at(-1)?.id,
      detailType: 'user_cancel',
      createdAt: expect.any(Number),
      attempts: expect.any(Number),
      lastError: 'it answered 500',
      nextAttemptAt: expect.any(Number),
      detail: expect.objectContaining({ username: 'eve' }),
    },
  ]);
  status = 204;
  await vi.waitUntil(() => received.has(answer[0].id), { timeout: 60_000 });
  expect((await json(['events', 'pending'], '', where)).answer).toEqual([]);
});

/** The instance in the clothes of a stack. */
const stack = async (options: Readonly<Record<string, string>> = {}) => {
  const { table, dynamodb, events, secretsmanager, credentials } = JSON.parse(
    await readFile(join(data, 'instance.json'), 'utf8'),
  ) as InstanceFile;
  const cloudFormation = await openCloudFormation({
    TableName: table,
    InstanceName: 'local',
    EventBusName: 'core-account',
    SigningKeySecretId: 'signing-key',
    BcryptCost: '10',
    ...options,
  });
  afterAll(cloudFormation.close);
  return {
    where: ['--stack', 's', '--region', 'us-east-1'],
    env: {
      AWS_ACCESS_KEY_ID: credentials?.accessKeyId ?? 'local',
      AWS_SECRET_ACCESS_KEY: credentials?.secretAccessKey ?? 'local',
      AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url,
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
      AWS_ENDPOINT_URL_EVENTBRIDGE: events,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsmanager,
    },
  };
};
const ARNS = {
  EventBusArn: 'arn:aws:events:us-east-1:000000000000:event-bus/core-account',
  ArchiveArn: 'arn:aws:events:us-east-1:000000000000:archive/events',
};

describe('replay', () => {
  test.each([
    ['of a local instance', async () => where],
    ['of a stack', () => stack(ARNS)],
  ])('sends the events %s to the rule once more, and waits for it', async (_, there) => {
    const before = posts.length;
    const { code, answer } = await json(
      ['events', 'replay', '--since', '1h', '--rule', 'subscriber'],
      '',
      await there(),
    );
    expect(answer).toMatchObject({ rule: 'subscriber', state: 'COMPLETED', replay: expect.any(String) });
    expect(code).toBe(0);
    const again = posts.slice(before);
    expect(again.map(({ event }) => (event.detail as { username: string }).username).sort()).toEqual([
      'ada',
      'eve',
    ]);
    for (const { event, id, headers, text } of again) {
      expect(event).toMatchObject({ 'replay-name': answer.replay });
      expect(verify(headers, text, secret).id).toBe(id);
    }
  });

  test('keeps to the time that it is told', async () => {
    const before = posts.length;
    const { answer } = await json(
      ['events', 'replay', '--since', '2h', '--until', '1h', '--rule', 'subscriber'],
      '',
      where,
    );
    expect(answer).toMatchObject({ state: 'COMPLETED' });
    expect(posts).toHaveLength(before);
  });

  test('does not wait where it is told not to, and its name is taken then', async () => {
    const args = ['events', 'replay', '--since', '1h', '--rule', 'subscriber', '--name', 'n', '--no-wait'];
    expect((await json(args, '', where)).answer).toMatchObject({ replay: 'n', state: 'STARTING' });
    expect(await json(args, '', where)).toMatchObject({
      code: 1,
      answer: { code: 'ResourceAlreadyExistsException' },
    });
  });
});

describe('an event command is refused', () => {
  test.each([
    [
      'replay to a rule that is not there',
      ['replay', '--since', '1h', '--rule', 'other'],
      'ResourceNotFoundException',
    ],
    [
      'replay of no time',
      ['replay', '--since', '1h', '--until', '2h', '--rule', 'subscriber'],
      'ValidationException',
    ],
    ['a sample that is not there', ['sample', 'user_other'], 'unknown_event'],
    ['a sample that is not there, to be sent', ['send', 'user_other', '--to', url], 'unknown_event'],
    ['a subscriber that is not there', ['send', '--to', 'http://127.0.0.1:1/'], 'not_received'],
  ])('%s', async (_, args, code) => {
    expect(await json(['events', ...args], '', where)).toMatchObject({ code: 1, answer: { code } });
  });

  test.each([
    ['replay', ['replay', '--since', '1h', '--rule', 'subscriber']],
    ['tail', ['tail']],
  ])('%s of a stack that does not have what it takes', async (_, args) => {
    expect(await json(['events', ...args], '', await stack())).toMatchObject({
      code: 1,
      answer: { code: 'unsupported' },
    });
  });

  test.each([
    [['replay', '--rule', 'subscriber']],
    [['replay', '--since', '1h']],
    [['replay', '--since', 'yesterday', '--rule', 'subscriber']],
    [['tail', '--lines', 'x']],
    [['send']],
  ])('that is used wrongly: %j', async (args) => {
    expect((await run(['events', ...args], '', where)).code).toBe(2);
  });
});

test('a sample is an event as subscribers receive it, of any instance or none', async () => {
  const { code, stdout } = await run(['events', 'sample'], '', { where: [] });
  expect(code).toBe(0);
  const [real] = posts;
  const sample = JSON.parse(stdout);
  expect(Object.keys(sample)).toEqual(Object.keys(real?.event ?? {}));
  expect(Object.keys(sample.detail)).toEqual(Object.keys(real?.event.detail ?? {}));
  expect((await json(['events', 'sample', 'user_cancel'], '', where)).answer).toMatchObject({
    detail: sample.detail,
  });
});

test.each([
  [204, 0],
  [500, 1],
  [302, 1],
])('send posts a signed sample; where %i answers, it exits with %i', async (answered, code) => {
  status = answered;
  const before = posts.length;
  const exit = await json(['events', 'send', 'user_cancel', '--to', url], '', where);
  status = 204;
  const sent = posts[before];
  expect(verify(sent?.headers ?? {}, sent?.text ?? '', secret).id).toBe(sent?.id);
  expect(exit).toMatchObject({
    code,
    answer: code === 0 ? { status: answered, id: sent?.id, type: 'user_cancel' } : { code: 'not_received' },
  });
});
