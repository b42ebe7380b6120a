import * as z from 'zod/mini';
import { detailSchema } from '#lib/event/detail-schema';
import type { EventDefinition } from '#lib/event/event';
import { ALL_EVENTS, exampleOf } from '#lib/event/events';
import { EVENT_SOURCE } from '#lib/item/outbox-event';

/** The subset of JSON Schema that the events use. */
export interface JsonSchema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly [keyword: string]: unknown;
}

/** Formats of zod that JSON Schema does not have: their patterns say what they mean. */
const OWN_FORMATS = ['cidrv4', 'cidrv6'];

/** Removes patterns that a format implies, formats of zod alone, and the range of JavaScript's integers. */
export function withoutNoise(schema: z.core.JSONSchema.BaseSchema): void {
  if (OWN_FORMATS.includes(schema.format ?? '')) delete schema.format;
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}

const detailAs = (target: 'draft-2020-12' | 'openapi-3.0', event: EventDefinition) =>
  z.toJSONSchema(detailSchema(event), {
    io: 'input',
    target,
    override: ({ jsonSchema }) => withoutNoise(jsonSchema),
  });

/** The detail of an event as JSON Schema 2020-12, with an example. Further fields are allowed. */
export function schemaOf(event: EventDefinition): JsonSchema {
  const { $schema, ...schema } = detailAs('draft-2020-12', event);
  return {
    $schema,
    $id: `${event.type}-${event.version}`,
    title: event.type,
    description: event.summary,
    ...schema,
    examples: [exampleOf(event)],
  } as JsonSchema;
}

/** The published schemas: a file in `lib/event/schemas` for each event and version. */
export const schemaFiles = (): ReadonlyMap<string, JsonSchema> =>
  new Map(ALL_EVENTS.map((event) => [`${event.type}-${event.version}.json`, schemaOf(event)]));

/** Fields of the envelope of EventBridge, each with an example and its schema. */
export const envelopeOf = ({
  type,
}: EventDefinition): Record<string, readonly [example: unknown, object]> => ({
  version: ['0', { description: 'Version of the envelope' }],
  id: ['6a7e8feb-b491-4cf7-a9f1-bf3703467718', { description: 'ID of the delivery, unlike `detail.id`' }],
  'detail-type': [type, { const: type, description: 'Type of the event' }],
  source: [EVENT_SOURCE, { const: EVENT_SOURCE, description: 'Source of all events of the service' }],
  account: ['123456789012', { description: 'AWS account of the instance' }],
  time: ['2026-11-20T05:30:00Z', { format: 'date-time', description: 'Time of the publication' }],
  region: ['eu-central-1', { description: 'AWS region of the instance' }],
  resources: [[], { type: 'array', items: { type: 'string' }, description: 'Always empty' }],
});

/**
 * A whole event as EventBridge delivers it, in the form from which its schema registry generates code.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-schema-create.html
 */
export function openApiOf(event: EventDefinition): object {
  const { type, version, summary } = event;
  const { $schema: _, ...detail } = detailAs('openapi-3.0', event);
  const text = { type: 'string' };
  const fields = Object.keys(envelopeOf(event));
  return {
    openapi: '3.0.0',
    info: { title: type, version, description: summary },
    paths: {},
    components: {
      schemas: {
        AWSEvent: {
          type: 'object',
          required: [...fields, 'detail'],
          'x-amazon-events-detail-type': type,
          'x-amazon-events-source': EVENT_SOURCE,
          properties: {
            ...Object.fromEntries(fields.map((name) => [name, text])),
            time: { ...text, format: 'date-time' },
            resources: { type: 'array', items: text },
            detail: { $ref: `#/components/schemas/${type}` },
          },
        },
        [type]: detail,
      },
    },
  };
}
