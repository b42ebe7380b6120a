import type { AccountEvent } from '#lib/event/account-event';
import { EVENTS, exampleOf } from '#lib/event/events';
import { EVENT_SOURCE } from '#lib/item/outbox-event';
import { ALWAYS } from '#lib/settings';
import { schemaOf } from '../events/schemas.ts';
import { JSON_TYPE } from './responses.ts';
import type { Json } from './schemas.ts';

/** Fields of the envelope of EventBridge, each with an example and its schema. */
const fieldsOf = ({ type }: AccountEvent): Readonly<Record<string, readonly [example: unknown, Json]>> => ({
  version: ['0', { description: 'Version of the envelope' }],
  id: ['6a7e8feb-b491-4cf7-a9f1-bf3703467718', { description: 'ID of the delivery, unlike `detail.id`' }],
  'detail-type': [type, { const: type, description: 'Type of the event' }],
  source: [EVENT_SOURCE, { const: EVENT_SOURCE, description: 'Source of all events of the service' }],
  account: ['123456789012', { description: 'AWS account of the instance' }],
  time: ['2026-11-20T05:30:00Z', { format: 'date-time', description: 'Time of the publication' }],
  region: ['eu-central-1', { description: 'AWS region of the instance' }],
  resources: [[], { type: 'array', items: { type: 'string' }, description: 'Always empty' }],
});

function operation(event: AccountEvent): Json {
  const { $schema: _schema, $id: _id, examples: _examples, ...detail } = schemaOf(event);
  const fields = Object.entries(fieldsOf(event));
  const properties = {
    ...Object.fromEntries(fields.map(([name, [, schema]]) => [name, { type: 'string', ...schema }])),
    detail,
  };
  const schema = { type: 'object', required: Object.keys(properties), properties };
  const example = {
    ...Object.fromEntries(fields.map(([name, [value]]) => [name, value])),
    detail: exampleOf(event),
  };
  return {
    operationId: `events.${event.type}`,
    summary: event.summary,
    description: `${ALWAYS.includes(event.type) ? 'Always published' : 'Published if `Settings:Events` names it'}, to the bus of the instance. EventBridge delivers it at least once to the targets of your rules: ignore a \`detail.id\` that you have already processed.`,
    tags: ['Events'],
    security: [],
    requestBody: { required: true, content: { [JSON_TYPE]: { schema, example } } },
    responses: { 200: { description: 'Received; after any other status, the event is delivered again' } },
  };
}

/** The events as webhooks: what EventBridge sends to an HTTP target, and a local instance to a subscriber. */
export const webhooks = (): Json =>
  Object.fromEntries(EVENTS.map((event) => [event.type, { post: operation(event) }]));
