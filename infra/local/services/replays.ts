import { ACCOUNT_ID, NAMES } from '../machine/resource-names.ts';
import { ServiceError } from '../machine/service-error.ts';
import type { Input, Operations } from './aws-json.ts';
import type { Replay } from './delivery-queue.ts';
import { readEvents } from './event-file.ts';
import type { Subscriber } from './subscriber.ts';

const notFound = (what: string) =>
  new ServiceError('ResourceNotFoundException', `${what} does not exist on the local event bus.`);

const invalid = (parameter: string, reason: string) =>
  new ServiceError('ValidationException', `Parameter ${parameter} is not valid. Reason: ${reason}.`);

/**
 * Replays of the bus, whose archive is its stream of events, and whose one rule is that of the subscriber.
 *
 * @param file the stream
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_StartReplay.html
 */
export function replayOperations(
  subscriber: Subscriber | undefined,
  file: string,
  region: string,
): Operations {
  const arn = (resource: string) => `arn:aws:events:${region}:${ACCOUNT_ID}:${resource}`;
  const ruleArn = arn(`rule/${NAMES.eventBus}/${NAMES.rule}`);

  const described = ({ name, from, to, started, left }: Replay) => ({
    ReplayName: name,
    ReplayArn: arn(`replay/${name}`),
    // Here it is over once the subscriber has received all; EventBridge says so once all were handed to the rule.
    State: left > 0 ? 'RUNNING' : 'COMPLETED',
    ...(left > 0 ? { StateReason: `${left} wait for the subscriber` } : {}),
    EventStartTime: from,
    EventEndTime: to,
    ReplayStartTime: started,
  });

  return {
    DescribeRule({ Name }) {
      if (!subscriber || Name !== NAMES.rule) throw notFound(`Rule ${Name}`);
      return { Name, Arn: ruleArn, EventBusName: NAMES.eventBus, State: 'ENABLED' };
    },

    async StartReplay(input) {
      const { ReplayName: name, EventStartTime: from, EventEndTime: to } = input;
      if (typeof name !== 'string' || !/^[\w.-]{1,64}$/.test(name))
        throw invalid('ReplayName', 'it must be 1 to 64 letters, digits, or any of _ . -');
      if (typeof from !== 'number' || typeof to !== 'number' || from >= to)
        throw invalid('EventEndTime', 'it must be later than EventStartTime');
      if (!String(input['EventSourceArn']).endsWith(`:archive/${NAMES.archive}`))
        throw notFound(`Archive ${input['EventSourceArn']}`);
      const { FilterArns = [ruleArn] } = (input['Destination'] ?? {}) as Input;
      const [rule, ...others] = FilterArns as string[];
      const isOurs = rule?.endsWith(`:rule/${NAMES.eventBus}/${NAMES.rule}`) && others.length === 0;
      if (!subscriber || !isOurs) throw notFound(`Rule ${FilterArns}`);

      const events = (await readEvents(file)).filter(({ time }) => {
        const seconds = Date.parse(time) / 1000;
        return seconds >= from && seconds < to;
      });
      if (!subscriber.replay(name, from, to, events))
        throw new ServiceError('ResourceAlreadyExistsException', `Replay ${name} already exists.`);
      return { ReplayArn: arn(`replay/${name}`), State: 'STARTING', ReplayStartTime: Date.now() / 1000 };
    },

    DescribeReplay({ ReplayName }) {
      const replay = subscriber?.queue.replay(String(ReplayName));
      if (!replay) throw notFound(`Replay ${ReplayName}`);
      return described(replay);
    },
  };
}
