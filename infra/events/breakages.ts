import type { JsonSchema } from './schemas.ts';

/** Keywords that describe a schema without restricting it. */
const NOTES = new Set(['$schema', '$id', 'title', 'description', 'examples']);

/**
 * Lists the changes of a schema that break subscribers: a field that was removed, became optional or has another form.
 * Added fields break nothing.
 *
 * @returns a line for each change; none if `after` may keep the version
 */
export function breakages(before: JsonSchema, after: JsonSchema, path = 'detail'): string[] {
  const { properties = {}, required = [], items, ...rules } = before;
  const restrictions = Object.entries(rules).filter(([keyword]) => !NOTES.has(keyword));
  return [
    ...restrictions.flatMap(([keyword, value]) =>
      JSON.stringify(after[keyword]) === JSON.stringify(value) ? [] : [`${path} has a different ${keyword}`],
    ),
    ...required.flatMap((name) =>
      after.required?.includes(name) ? [] : [`${path}.${name} is no longer required`],
    ),
    ...Object.entries(properties).flatMap(([name, schema]) => {
      const now = after.properties?.[name];
      return now ? breakages(schema, now, `${path}.${name}`) : [`${path}.${name} was removed`];
    }),
    ...(items ? (after.items ? breakages(items, after.items, `${path}[]`) : [`${path}[] was removed`]) : []),
  ];
}
