import { randomUUID } from 'node:crypto';
import { ALL_EVENTS, exampleOf } from '#lib/event/events';
import { EVENT_SOURCE } from '#lib/item/outbox-event';
import { readEntries } from '../../local/services/event-bus/event-bus.ts';
import type { DeliveredEvent } from '../../local/services/event-bus/event-file.ts';
import { deliver, reasonOf } from '../../local/services/event-bus/subscriber.ts';
import { Refusal } from '../refusal.ts';
import { openTarget, type TargetOptions } from '../target.ts';
import { openReceiver, subscriberOf } from './receiver.ts';

/** Source of samples that are sent; no rule for real events matches it. */
const SAMPLE_SOURCE = `${EVENT_SOURCE}.sample`;

/** An example of an event, of the first type by default. @throws Refusal `unknown_event` */
export function sampleOf(type: string | undefined): DeliveredEvent {
  const description = ALL_EVENTS.find((event) => event.type === (type ?? event.type));
  if (!description)
    throw new Refusal(
      'unknown_event',
      `There is no event ${type}: choose ${ALL_EVENTS.map((event) => event.type).join(', ')}`,
    );
  const Detail = JSON.stringify(exampleOf(description));
  const published = { Source: EVENT_SOURCE, DetailType: description.type, Detail };
  const [entry] = readEntries({ Entries: [published] }, 'us-east-1', Date.now());
  return (entry as { event: DeliveredEvent }).event;
}

/** Sends a sample in one attempt to a URL or a module, by default to the subscriber of the running instance. */
export async function sendSample(
  type: string | undefined,
  options: TargetOptions & { readonly to?: string },
): Promise<object> {
  const sample = sampleOf(type);
  const id = randomUUID();
  const target = openTarget(options);
  const to = options.to ?? subscriberOf(await target);
  // It sets the variables of the instance, which a module may need; a URL needs no instance.
  await target.catch(() => undefined);
  const receiver = openReceiver(to);
  const event = { ...sample, source: SAMPLE_SOURCE, detail: { ...(sample.detail as object), id } };
  try {
    await deliver(receiver.send, event, { waits: [] });
  } catch (error) {
    throw new Refusal('not_received', `${to}: ${reasonOf(error)}`);
  } finally {
    await receiver.close();
  }
  return { sent: id, type: sample['detail-type'], source: SAMPLE_SOURCE };
}
