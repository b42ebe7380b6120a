import * as z from 'zod/mini';
import { type AccountEvent, detailSchema } from '#lib/event/account-event';
import { EVENTS, exampleOf } from '#lib/event/events';
import { EVENT_SOURCE } from '#lib/item/outbox-event';

/** As much of JSON Schema as the events are written in. */
export interface JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly [keyword: string]: unknown;
}

/** A format says all that its pattern does, and what JavaScript can count to is no limit of the event. */
function withoutNoise(schema: { format?: unknown; pattern?: unknown; maximum?: unknown }): void {
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/** The detail of an event as JSON Schema 2020-12, with an example. Fields that it does not name may be there. */
export function schemaOf(event: AccountEvent): JsonSchema {
  const { $schema, ...schema } = z.toJSONSchema(detailSchema(event), {
    io: 'input',
    override: ({ jsonSchema }) => withoutNoise(jsonSchema),
  });
  return {
    $schema,
    $id: `${event.type}-${event.version}`,
    title: event.type,
    description: event.summary,
    ...schema,
    examples: [exampleOf(event)],
  } as JsonSchema;
}

/** The schemas as they are published: for each event and version a file in `lib/event/schemas`. */
export const schemaFiles = (): ReadonlyMap<string, JsonSchema> =>
  new Map(EVENTS.map((event) => [`${event.type}-${event.version}.json`, schemaOf(event)]));

/** The names of PutEvents by which an event is what it is. */
const ENVELOPE = ['version', 'id', 'detail-type', 'source', 'account', 'time', 'region', 'resources'];

/**
 * A whole event as EventBridge delivers it, in the form that its schema registry makes code from.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-schema-create.html
 */
export function openApiOf(event: AccountEvent): object {
  const { type, version, summary } = event;
  const { $schema: _, ...detail } = z.toJSONSchema(detailSchema(event), {
    io: 'input',
    target: 'openapi-3.0',
    override: ({ jsonSchema }) => withoutNoise(jsonSchema),
  });
  const text = { type: 'string' };
  return {
    openapi: '3.0.0',
    info: { title: type, version, description: summary },
    paths: {},
    components: {
      schemas: {
        AWSEvent: {
          type: 'object',
          required: [...ENVELOPE, 'detail'],
          'x-amazon-events-detail-type': type,
          'x-amazon-events-source': EVENT_SOURCE,
          properties: {
            ...Object.fromEntries(ENVELOPE.map((name) => [name, text])),
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
