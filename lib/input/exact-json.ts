/** Reviver of ECMAScript 2026, which TypeScript does not declare yet, and browsers of 2024 do not have: they round numbers. */
type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;

const { parse, rawJSON, isRawJSON } = JSON as unknown as {
  parse(text: string, reviver: Reviver): unknown;
  rawJSON(source: string): object;
  isRawJSON?(value: unknown): boolean;
};

/**
 * Parses JSON so that `JSON.stringify` returns the same text. Numbers that no double represents, such as `1e400` or
 * `12345678901234567890`, become opaque objects of their source.
 */
export const parseExactly = (text: string): unknown =>
  parse(text, (_key, value, { source } = {}) =>
    typeof value === 'number' && source !== undefined && source !== String(value) ? rawJSON(source) : value,
  );

/** Converts an opaque number to a number, for checks of the shape; returns any other value. */
export const toPlainNumber = (value: unknown): unknown =>
  isRawJSON?.(value) ? Number((value as { rawJSON: string }).rawJSON) : value;

/** Whether a parsed value is a JSON object. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJSON?.(value);
