import { OPERATIONS, type OperationId } from './operations.ts';
import { invalidInput } from './refusal.ts';

type Fields = Record<string, unknown>;

/** What goes over the wire, but for the credential. */
export interface WireRequest {
  /** Below the base URL, with the query. */
  readonly path: string;
  readonly init: RequestInit & { readonly headers: Record<string, string> };
}

/** @throws CoreAccountError `invalid_request` where the path cannot be made */
export function wireRequest(id: OperationId, input: unknown, headers: Record<string, string>): WireRequest {
  const [method, template] = OPERATIONS[id];
  const { path, rest } = fill(id, template, input);
  const accepting = { accept: 'application/json', ...headers };
  if (method === 'GET') return { path: path + query(rest as Fields), init: { method, headers: accepting } };
  // An endpoint without a body takes an empty object.
  const init = {
    method,
    body: JSON.stringify(rest),
    headers: { ...accepting, 'content-type': 'application/json' },
  };
  return { path, init };
}

/** Takes from the input what stands in the path. */
function fill(id: OperationId, template: string, input: unknown = {}): { path: string; rest: unknown } {
  if (!template.includes('{')) return { path: template, rest: input };
  const rest = { ...(input as Fields) };
  const path = template.replace(/\/\{(\w+)(\??)\}/g, (_, name: string, optional: string) => {
    const value = rest[name];
    delete rest[name];
    if (value === undefined && optional) return '';
    // `fetch` would take dots for folders, and ask for another path.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
      throw invalidInput(id, name, value === undefined ? 'Is required' : 'Cannot stand in a path');
    return `/${encodeURIComponent(value)}`;
  });
  return { path, rest };
}

function query(fields: Fields): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const texts = given.map(([name, value]): [string, string] => [
    name,
    value instanceof Date ? value.toISOString() : String(value),
  ]);
  return texts.length > 0 ? `?${new URLSearchParams(texts)}` : '';
}
