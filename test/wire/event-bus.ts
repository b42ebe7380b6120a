import { type Operations, serveAwsJson } from '../../infra/local/machine/serve-aws.ts';
import { answerTo, readEntries } from '../../infra/local/services/event-bus/event-bus.ts';

/** One entry of PutEvents, as it went over the wire. */
export interface SentEntry {
  readonly EventBusName: string;
  readonly Source: string;
  readonly DetailType: string;
  readonly Detail: string;
  readonly Time: number;
}

/** Returns the answer to a call, or throws the error of the service; undefined applies the rules of the bus. */
export type BusScript = (entries: readonly SentEntry[]) => object | undefined | Promise<object | undefined>;

/** Answer of the bus to an entry that it fails. */
export const FAILED = { ErrorCode: 'ThrottlingException', ErrorMessage: 'Rate exceeded' };

/** A bus that speaks the protocol of EventBridge, with its rules for entries and calls, and remembers every call. */
export async function openBus() {
  const calls: (readonly SentEntry[])[] = [];
  let script: BusScript = () => undefined;
  const operations: Operations = {
    async PutEvents(input) {
      const sent = input['Entries'] as readonly SentEntry[];
      calls.push(sent);
      return (await script(sent)) ?? answerTo(readEntries(input, 'eu-west-1', 0));
    },
  };
  const service = await serveAwsJson('AWSEvents', operations, 'local');
  return {
    url: service.url,
    calls,
    /** Sets the script that decides from now on. */
    script(next: BusScript) {
      script = next;
    },
    close: service.close,
  };
}
