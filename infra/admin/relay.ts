import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { JOB_TIMEOUT_SECONDS } from '#lib/contract/contract';
import { describe, log } from '#lib/log/log';
import { CLIENT_LIMITS, namingErrors } from '#lib/network/aws';
import type { PublishRequest, PublishResult } from '#lib/outbox/publish-now';
import type { Publish } from '#lib/outbox/publisher';
import { Refusal } from './refusal.ts';

/** The function that publishes the events of commands: operators may not put events on the bus. */
export interface Relay {
  /** Publishes events that a command has committed. If the relay fails, its next sweep publishes them. */
  readonly publish: Publish;
  /** Publishes events of the whole outbox. @throws Refusal `not_published` if the relay fails */
  publishAll(): Promise<PublishResult>;
}

/** The answer comes after the work, which has the time of a job. */
const LIMITS = {
  ...CLIENT_LIMITS,
  requestHandler: { ...CLIENT_LIMITS.requestHandler, requestTimeout: JOB_TIMEOUT_SECONDS * 1000 + 5000 },
};

/** @param FunctionName of the relay of the instance */
export function relayOf(FunctionName: string): Relay {
  const lambda = namingErrors(new LambdaClient(LIMITS));
  const ask = async (request: PublishRequest): Promise<PublishResult> => {
    const { FunctionError, Payload } = await lambda.send(
      new InvokeCommand({ FunctionName, Payload: JSON.stringify(request) }),
    );
    const answer = JSON.parse(Payload?.transformToString() ?? 'null');
    if (FunctionError === undefined) return answer as PublishResult;
    throw new Refusal('not_published', `The relay failed: ${answer?.errorMessage}: see its log`);
  };
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
