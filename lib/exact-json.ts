/** What a reviver is told since ECMAScript 2026; TypeScript does not know it yet. */
type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

const { parse, rawJSON, isRawJSON } = JSON as unknown as {
  parse(text: string, reviver: Reviver): unknown;
  rawJSON(source: string): object;
  isRawJSON(value: unknown): boolean;
};

/**
 * Parses JSON so that `JSON.stringify` gives its numbers back as they were written: one that no double holds, as
 * `1e400` or `12345678901234567890`, becomes an opaque object of its source.
 */
export const parseExactly = (text: string): unknown =>
  parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && source !== String(value) ? rawJSON(source) : value,
  );

/** A value where its shape matters and not its spelling: a number that no double holds is a number still. */
export const toPlainNumber = (value: unknown): unknown =>
  isRawJSON(value) ? Number((value as { rawJSON: string }).rawJSON) : value;

/** Whether a parsed value is a JSON object. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJSON(value);
