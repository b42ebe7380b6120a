import type { OperationId } from './contracts.ts';
import { OPERATIONS } from './operations.ts';
import { invalidInput } from './refusal.ts';

type Fields = Record<string, unknown>;

/** An HTTP request without its credential. */
export interface WireRequest {
  /** Path below the base URL, with the query. */
  readonly path: string;
  readonly init: RequestInit & { readonly headers: Record<string, string> };
}

/** @throws CoreAccountError `invalid_request` when a parameter of the path is missing or cannot be in a path */
export function wireRequest(id: OperationId, input: unknown, headers: Record<string, string>): WireRequest {
  const [method, template, , ...kinds] = OPERATIONS[id];
  const { path, rest } = fill(id, template, input);
  const accepting = { accept: 'application/json', ...headers };
  if (method === 'GET') return { path: path + query(rest as Fields), init: { method, headers: accepting } };
  if ((kinds as readonly string[]).includes('form'))
    return { path, init: { method, body: formOf(rest as Fields), headers: accepting } };
  // Endpoints without a body accept an empty object.
  const init = {
    method,
    body: JSON.stringify(rest),
    headers: { ...accepting, 'content-type': 'application/json' },
  };
  return { path, init };
}

/** Moves parameters from the input into the path. */
function fill(id: OperationId, template: string, input: unknown = {}): { path: string; rest: unknown } {
  if (!template.includes('{')) return { path: template, rest: input };
  const rest = { ...(input as Fields) };
  const path = template.replace(/\/\{(\w+)(\??)\}/g, (_, name: string, optional: string) => {
    const value = rest[name];
    delete rest[name];
    if (value === undefined && optional) return '';
    // `fetch` would resolve dots as folders and request another path. The gateway decodes a slash before it splits the path.
    if (typeof value !== 'string' || /^\.{0,2}$|[/\\\p{Surrogate}]/u.test(value))
      throw invalidInput(id, name, value === undefined ? 'Is required' : 'Cannot be part of a path');
    return `/${encodeURIComponent(value)}`;
  });
  return { path, rest };
}

function formOf(fields: Fields): URLSearchParams {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return new URLSearchParams(
    given.map(([name, value]): [string, string] => [
      name,
      value instanceof Date ? value.toISOString() : String(value),
    ]),
  );
}

function query(fields: Fields): string {
  const form = `${formOf(fields)}`;
  return form && `?${form}`;
}
