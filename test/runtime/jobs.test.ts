import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { afterEach, expect, inject, test } from 'vitest';
import { VERIFIED } from '#lib/audit/streams';
import { openSecrets } from '#lib/session/signing-key';
import { rotateWith } from '../../infra/local/first-rotation.ts';
import { NAMES } from '../../infra/local/machine/resource-names.ts';
import { subscriptionEvent } from '../../infra/local/services/lambda/audit-lines.ts';
import { admin, createUser, post, target } from '../integration/service.ts';
import { openTestLogGroup } from '../unit/support/log-groups.ts';
import { openRuntime, platform } from './lambda.ts';

/** Address without a listener. */
const NOWHERE = 'http://127.0.0.1:9';

const logs = await openTestLogGroup(NAMES.auditLog, platform()['AWS_ACCESS_KEY_ID']);
const { lambda, environment } = await openRuntime({
  ...platform(),
  AWS_ENDPOINT_URL_CLOUDWATCH_LOGS: logs.url,
});
const withoutBus = await openRuntime(platform({ events: NOWHERE }));

afterEach(async () => {
  const rotations = ['keys.rotate-signing-key', 'keys.rotate-resource-key'];
  for (const id of [...rotations, 'events.relay-outbox', 'audit.collect'])
    expect((await environment(id)).offences).toEqual([]);
});

test.each([NAMES.signingKey, NAMES.resourceKey])(
  'the four steps of a rotation make a new version of %s the current one',
  async (SecretId) => {
    await target();
    const version = randomUUID();
    await rotateWith(lambda, SecretId, version);
    const current = await openSecrets().send(new GetSecretValueCommand({ SecretId }));
    expect(current.VersionId).toBe(version);
  },
);

/** Cancels an account without a bus, and sweeps. */
async function sweep() {
  const { username } = await createUser();
  const { base } = withoutBus;
  const cancelled = await post(`/api/core/account/cancel/${username}`, { ...admin, base });
  expect(cancelled.status, cancelled.text).toBe(200);
  const id = 'events.relay-outbox';
  return { username, swept: await lambda.invoke(id, {}) };
}

test('the relay publishes events that a request could not publish', async () => {
  const first = await sweep();
  // Once a minute the local instance sweeps as well, and may be quicker; then it is not at the next event.
  const wasQuicker = (first.swept as { published: number }).published === 0;
  const { username, swept } = wasQuicker ? await sweep() : first;
  expect(swept).toMatchObject({ published: 1, failed: 0, pending: 0 });
  expect(await readFile(join(inject('data'), 'events.jsonl'), 'utf8')).toContain(username);
});

test('audit lines that a function has written reach the audit log', async () => {
  const { username } = await createUser();
  const { base } = withoutBus;
  expect((await post(`/api/core/account/lock/${username}`, { ...admin, base })).status).toBe(200);
  const { output } = await withoutBus.environment('account.lock');
  const written = output()
    .split('\n')
    .filter((line) => line.startsWith('{"level":"audit"'));
  expect(written).toHaveLength(1);

  const stream = '2026/11/20/core-account-account-lock[$LATEST]0f2b6c9e';
  const event = subscriptionEvent(written, { logGroup: 'functions', stream });
  expect(await lambda.invoke('audit.collect', event)).toBe(1);
  expect(logs.lines(VERIFIED)?.map(({ message }) => message)).toEqual(written);
});
