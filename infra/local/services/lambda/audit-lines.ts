import { closeSync, createReadStream, openSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { bestEffort } from '#lib/async/best-effort';
import type { SubscriptionEvent } from '#lib/audit/collect';
import { collectAudit } from '#lib/audit/jobs';
import { VERIFIED } from '#lib/audit/streams';
import { readJson, writeJson } from '../../machine/durable-file.ts';
import { ACCOUNT_ID, NAMES } from '../../machine/resource-names.ts';
import type { Lambda } from './lambda.ts';

const POLL_MS = 250;
/** Pause after a failure of the job. */
const RETRY_MS = 10_000;
/** Size of one event: about 2,500 lines. */
const MAX_BYTES = 1_000_000;

/**
 * Subscribes the collector to a file of audit lines, which is a stream of the audit log: it gets each line once, or again
 * until it succeeds.
 *
 * @param kept file that keeps the position over restarts, if the table is kept as well
 */
export function subscribeToAudit(
  lambda: Pick<Lambda, 'invoke'>,
  stream: string,
  path: string,
  kept: string | undefined,
) {
  // The file belongs to the user of the instance, whoever runs the first command.
  closeSync(openSync(path, 'a', 0o600));
  let position = (kept && readJson<number>(kept)) || 0;
  const closing = new AbortController();
  const pass = async () => {
    const { start, text } = await linesAfter(path, position);
    if (text === '') return POLL_MS;
    const lines = text.split('\n').filter(Boolean);
    await lambda.invoke(collectAudit.id, subscriptionEvent(lines, { stream }));
    position = start + Buffer.byteLength(text);
    if (kept) writeJson(kept, position);
    return 0;
  };
  const follow = async () => {
    const { signal } = closing;
    while (!signal.aborted) await sleep(await pass().catch(() => RETRY_MS), undefined, { signal });
  };
  void bestEffort(follow());
  return { close: () => closing.abort() };
}

/** The whole lines after a position, {@link MAX_BYTES} at most; from the start of a file that was replaced by a shorter one. */
async function linesAfter(path: string, position: number) {
  const { size } = await stat(path);
  const start = position > size ? 0 : position;
  if (start === size) return { start, text: '' };
  const read = await buffer(createReadStream(path, { start, end: start + MAX_BYTES - 1 }));
  return { start, text: read.toString('utf8', 0, read.lastIndexOf('\n') + 1) };
}

/** The event that CloudWatch Logs sends to a subscription. @see https://docs.aws.amazon.com/lambda/latest/dg/services-cloudwatchlogs.html */
export function subscriptionEvent(
  lines: readonly string[],
  { logGroup = NAMES.auditLog as string, stream = VERIFIED as string, messageType = 'DATA_MESSAGE' } = {},
): SubscriptionEvent {
  const [owner, timestamp] = [ACCOUNT_ID, Date.now()];
  const logEvents = lines.map((message, at) => ({ id: `${at}`, timestamp: timestamp + at, message }));
  const source = { owner, logGroup, logStream: stream, subscriptionFilters: ['audit'] };
  const message = { messageType, ...source, logEvents };
  return { awslogs: { data: gzipSync(JSON.stringify(message)).toString('base64') } };
}
