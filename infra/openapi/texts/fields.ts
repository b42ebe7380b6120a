import FIELDS from './fields.json' with { type: 'json' };

/** Schema of `user_properties`. */
export const FREE_FORM = {
  type: 'object',
  properties: { root: { type: 'object', additionalProperties: true } },
  additionalProperties: true,
} as const;

/**
 * Describes a field: by `<schema>.<field>` where it has another meaning in one schema.
 *
 * @param owner name of the schema that contains it, if it has one
 * @throws Error for a field without a description
 */
export function describedAs(field: string, owner = ''): string {
  const texts: Readonly<Record<string, string>> = FIELDS;
  const text = texts[`${owner}.${field}`] ?? texts[field];
  if (text === undefined)
    throw new Error(`infra/openapi/texts/fields.json does not describe ${owner}.${field}`);
  return text;
}
