import { collectAudit } from '#lib/audit/jobs';
import { rotateResourceKey } from '#lib/resource/jobs';
import { contracts, jobs } from '#lib/routes';
import { rotateSigningKey } from '#lib/session/jobs';

/** What starts work in a deployed stack. */
export interface Trigger {
  readonly name: string;
  readonly what: string;
  /** Service that invokes a function of the stack. */
  readonly principal?: string;
  /** What else has shown it, in each run of `.ci/run`. */
  readonly also?: string;
  /** How the emulator differs. */
  readonly note?: string;
}

const every = (minutes: number) => (minutes === 1 ? 'minute' : `${minutes} minutes`);

const schedules = jobs.flatMap(({ id, trigger }): Trigger[] => {
  const isProbe = trigger === 'probe';
  if (typeof trigger === 'string' && !isProbe) return [];
  const what = `Schedule of \`${id}\`, each ${isProbe ? 'minute' : every(trigger.everyMinutes)}`;
  // The local instance has no public URL to probe.
  const also = isProbe ? {} : { also: 'local instance' };
  return [{ name: `schedule ${id}`, what, principal: 'events.amazonaws.com', ...also }];
});

const rotations = [
  ['rotation', rotateSigningKey.id],
  ['resource-rotation', rotateResourceKey.id],
].map(
  ([name, id]): Trigger => ({
    name: `${name}`,
    what: `Rotation, by \`${id}\``,
    principal: 'secretsmanager.amazonaws.com',
    also: 'local instance, runtime client',
    note: 'The tests invoke its steps, as Secrets Manager does.',
  }),
);

/** Every trigger of the stack, and those of stacks that use it. */
export const TRIGGERS: readonly Trigger[] = [
  {
    name: 'http',
    what: `Requests of the HTTP API, to ${contracts.length} endpoints`,
    principal: 'apigateway.amazonaws.com',
    also: 'local instance, runtime client',
  },
  ...schedules,
  ...rotations,
  {
    name: 'audit-lines',
    what: `Subscriptions of \`${collectAudit.id}\` to audit lines`,
    principal: 'logs.amazonaws.com',
    also: 'local instance, runtime client',
    note: 'Words replace the patterns.',
  },
  { name: 'relay', what: 'Invocation of the relay by `events publish`' },
  { name: 'refill', what: 'Invocation of `audit.refill` by `audit refill`', also: 'local instance' },
  { name: 'subscriber', what: 'Rule of the example subscriber', also: 'local instance' },
  { name: 'replay', what: 'Replay of the archive', note: 'The tests create the archive.' },
  { name: 'authorizer', what: 'Authorizer of another API' },
  { name: 'failed-jobs', what: 'Failed run of a job, to its queue' },
  { name: 'failed-events', what: 'Event that the bus cannot process, to its queue' },
  { name: 'alarm', what: 'Alarm, to its topic' },
];
