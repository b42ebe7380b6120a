import type { EventDefinition } from '#lib/event/event';
import { ALL_EVENTS, exampleOf } from '#lib/event/events';
import { ALWAYS } from '#lib/instance/settings';
import { envelopeOf, schemaOf } from '../events/schemas.ts';
import { JSON_TYPE } from './responses.ts';
import type { Json } from './schemas.ts';
import { WEBHOOKS } from './texts/operations.ts';

/** An event as EventBridge delivers it. */
export const eventExample = (event: EventDefinition): Json => ({
  ...Object.fromEntries(Object.entries(envelopeOf(event)).map(([name, [value]]) => [name, value])),
  detail: exampleOf(event),
});

function operation(event: EventDefinition): Json {
  const { $schema: _schema, $id: _id, examples: _examples, ...detail } = schemaOf(event);
  const fields = Object.entries(envelopeOf(event));
  const properties = {
    ...Object.fromEntries(fields.map(([name, [, schema]]) => [name, { type: 'string', ...schema }])),
    detail,
  };
  const schema = { type: 'object', required: Object.keys(properties), properties };
  return {
    operationId: `events.${event.type}`,
    summary: event.summary,
    description: `${ALWAYS.includes(event.type) ? 'Always published' : 'Published if `Settings:Events` names it'}, to the bus of the instance. EventBridge delivers it at least once to the targets of your rules: ignore a \`detail.id\` that you have already processed.`,
    tags: [WEBHOOKS.name],
    security: [],
    requestBody: { required: true, content: { [JSON_TYPE]: { schema, example: eventExample(event) } } },
    responses: { 200: { description: 'Received; after any other status, the event is delivered again' } },
  };
}

/** The events as webhooks: what EventBridge sends to an HTTP target, and a local instance to a subscriber. */
export const webhooks = (): Json =>
  Object.fromEntries(ALL_EVENTS.map((event) => [event.type, { post: operation(event) }]));
