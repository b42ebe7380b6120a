import type { JsonSchema } from './schemas.ts';

/** Keywords that tell people something, and restrict nothing. */
const NOTES = new Set(['$schema', '$id', 'title', 'description', 'examples']);

/**
 * What would break a subscriber who relies on an event as it was published: a field that is gone, need not be there any
 * more, or has another form. What was added breaks nobody.
 *
 * @returns a line each, none where `after` is a form of the same version
 */
export function breakages(before: JsonSchema, after: JsonSchema, path = 'detail'): string[] {
  const { properties = {}, required = [], items, ...rules } = before;
  const restrictions = Object.entries(rules).filter(([keyword]) => !NOTES.has(keyword));
  return [
    ...restrictions.flatMap(([keyword, value]) =>
      JSON.stringify(after[keyword]) === JSON.stringify(value) ? [] : [`${path} has another ${keyword}`],
    ),
    ...required.flatMap((name) =>
      after.required?.includes(name) ? [] : [`${path}.${name} need not be there any more`],
    ),
    ...Object.entries(properties).flatMap(([name, schema]) => {
      const now = after.properties?.[name];
      return now ? breakages(schema, now, `${path}.${name}`) : [`${path}.${name} is gone`];
    }),
    ...(items ? (after.items ? breakages(items, after.items, `${path}[]`) : [`${path}[] is gone`]) : []),
  ];
}
