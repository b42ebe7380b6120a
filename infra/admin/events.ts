import { ALL_EVENTS } from '#lib/event/events';
import { pendingEvents, stateOf } from '#lib/outbox/outbox';
import type { PublishResult } from '#lib/outbox/publish-now';
import type { Command } from './command.ts';
import type { ReplayOptions } from './events/replay.ts';
import { option } from './options.ts';
import { Output } from './output.ts';
import { Refusal } from './refusal.ts';
import type { TargetOptions } from './target.ts';
import { counted } from './terminal/progress.ts';
import { since, TIME } from './times.ts';

export const pending: Command = {
  name: 'events pending',
  description: 'list the events in the outbox, oldest first',
  group: 'support',
  inputs: { table: 'a list is wrong' },
  needs: ['table:Query:OUTBOX'],
  audited: false,
  run: async ({ runtime }) =>
    (await pendingEvents(runtime.table)).map(({ detail, ...event }) => ({
      state: stateOf(event),
      ...JSON.parse(JSON.stringify(event), toIso),
      detail,
    })),
};

export const publish: Command = {
  name: 'events publish',
  description: 'publish all events in the outbox now',
  group: 'support',
  inputs: { table: 'an event that a function may store is published' },
  needs: ['relay:start'],
  audited: true,
  run: async ({ relay }) => {
    let published = 0;
    let result: PublishResult;
    do {
      result = await relay.publishAll();
      published += result.published;
    } while (result.refused === 0 && result.left > 0);
    const { refused, reasons } = result;
    if (refused === 0) return { published };
    const message = `The bus refused ${refused} of ${counted(refused + published, 'event')}: ${reasons.join('; ')}`;
    throw new Refusal('not_published', message, { changed: published > 0 });
  },
};

export const replay: Command = {
  name: 'events replay',
  description: 'send the events of a period again: to the local subscriber, or to one rule of a stack',
  options: [
    option('--since <time>', `start of the period: ${TIME}`, since).makeOptionMandatory(),
    option('--until <time>', 'end of the period, now by default', since),
    option('--rule <name>', 'with --stack: the rule that receives the events'),
    option('--no-wait', 'with --stack: do not wait for the end'),
  ],
  faultOf: ({ stack, rule, wait, since, until }: ReplayOptions & TargetOptions) => {
    if (until !== undefined && until <= since) return '--until must be later than --since';
    if (stack !== undefined)
      return rule === undefined ? '--stack needs a rule on its bus: --rule <name>' : undefined;
    return rule !== undefined || !wait ? '--rule and --no-wait need --stack' : undefined;
  },
  group: 'administrator',
  inputs: { archive: 'a subscriber receives a false event again' },
  needs: ['rule:read', 'archive:replay', 'replay:read'],
  audited: true,
  run: async (target, options: ReplayOptions) => (await import('./events/replay.ts')).replay(target, options),
};

export const sample: Command = {
  name: 'events sample [type]',
  description: `print an event as subscribers receive it: ${ALL_EVENTS.map(({ type }) => type).join(', ')}`,
  local: true,
  run: async (type: string | undefined) => {
    const { sampleOf } = await import('./events/samples.ts');
    const event = sampleOf(type);
    return new Output(event, { stdout: JSON.stringify(event, null, 2) });
  },
};

export const send: Command = {
  name: 'events send [type]',
  description: 'send a sample to a subscriber, with the source core.account.sample',
  options: [option('--to <target>', 'URL or module, by default the subscriber of the local instance')],
  local: true,
  run: async (type: string | undefined, options: TargetOptions & { readonly to?: string }) =>
    (await import('./events/samples.ts')).sendSample(type, options),
};

const toIso = (name: string, value: number) => (name.endsWith('At') ? new Date(value).toISOString() : value);
