import type { Contract } from '#lib/contract/contract';
import { jsonSchema } from '../../infra/openapi/schemas.ts';

type Json = Readonly<Record<string, unknown>>;
type Place = 'params' | 'query' | 'body';

/** A text of a request that the contract limits to no list of values: its place, and its dotted path. */
export interface FreeText {
  readonly place: Place;
  readonly path: readonly string[];
}

/** The texts in a schema that are neither of a list nor of a format. */
function textsIn(schema: Json, path: readonly string[] = []): readonly (readonly string[])[] {
  const { type, properties = {}, items, anyOf = [], allOf = [], additionalProperties } = schema;
  const parts = [...(anyOf as Json[]), ...(allOf as Json[])].flatMap((part) => textsIn(part, path));
  const isText =
    [type].flat().includes('string') && !('enum' in schema || 'const' in schema || 'format' in schema);
  return [
    ...(isText ? [path] : []),
    ...parts,
    ...Object.entries(properties as Record<string, Json>).flatMap(([name, one]) =>
      textsIn(one, [...path, name]),
    ),
    ...(typeof items === 'object' ? textsIn(items as Json, [...path, '[]']) : []),
    ...(additionalProperties ? [[...path, '*']] : []),
  ];
}

/** Every free text that a request of a contract may have. */
export const freeTextsOf = (contract: Contract): FreeText[] =>
  (['params', 'query', 'body'] as const).flatMap((place) => {
    const schema = contract[place]?.();
    const paths = schema ? textsIn(jsonSchema(schema, 'input')) : [];
    return [...new Set(paths.map((path) => path.join('.')))].map((path) => ({
      place,
      path: path.split('.'),
    }));
  });

/** A value with a text at a path: of a list it is the only one, of an object with free names the value of one. */
function withText(value: unknown, [name, ...rest]: readonly string[], text: string): unknown {
  if (name === undefined) return text;
  if (name === '[]') return [withText(undefined, rest, text)];
  const own = typeof value === 'object' && value !== null ? (value as Json) : {};
  const key = name === '*' ? 'about' : name;
  return { ...own, [key]: withText(own[key], rest, text) };
}

/**
 * A request with a text at one place, in the first of some forms that the contract accepts there; undefined where it accepts
 * none, as for the ID of a team.
 */
export function filled(
  contract: Contract,
  parts: Readonly<Partial<Record<Place, unknown>>>,
  { place, path }: FreeText,
  forms: readonly string[],
): unknown {
  return forms
    .map((form) => withText(parts[place], path, form))
    .find((value) => contract[place]?.().safeParse(value).success);
}

/** Whether a text names the account of a request, or is a secret that is never stored: filled in, it is another request. */
export const isIdentity = ({ path: [first = ''] }: FreeText): boolean =>
  /^((\w+_)?username|(\w+_)?password|code|token|credential)$/.test(first);
