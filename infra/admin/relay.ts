import { describe, log } from '#lib/log/log';
import type { PublishRequest, PublishResult } from '#lib/outbox/publish-now';
import type { Publish } from '#lib/outbox/publisher';
import { invoking } from './invoke.ts';

/** The function that publishes the events of commands: operators may not put events on the bus. */
export interface Relay {
  /** Publishes events that a command has committed. If the relay fails, its next sweep publishes them. */
  readonly publish: Publish;
  /** Publishes events of the whole outbox. @throws Refusal `not_published` if the relay fails */
  publishAll(): Promise<PublishResult>;
}

/** @param FunctionName of the relay of the instance */
export function relayOf(FunctionName: string): Relay {
  const ask = invoking<PublishRequest, PublishResult>(FunctionName, ['not_published', 'The relay']);
  return {
    async publish(events) {
      const waiting = 'Events wait for the next sweep of the relay';
      await ask({ publish: events.map(({ id }) => id) }).then(
        ({ refused, left, reasons }) => refused + left > 0 && log('warn', { message: waiting, reasons }),
        (error) => log('warn', { message: waiting, error: describe(error) }),
      );
      // The relay removes those that it publishes.
      return [];
    },
    publishAll: () => ask({ publish: 'all' }),
  };
}
